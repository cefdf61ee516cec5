/** A request that does not fit: what the server says, and what could be left out. Nothing is cut in silence. */
import { useMemo } from "react";
import type { OnPath } from "../api/types";
import { onOneLine, textOf } from "../map/tree";
import type { Acts } from "../space/acts";
import { Button, Icon } from "../ui/controls";
import { count } from "../ui/numbers";
import type { Refused as Fault } from "./loom";

/** What the server says, and the largest nodes that it names. */
export function toldIn(text: string): { says: string; largest: { node: string; tokens: number }[] } {
  const [says = text, list = ""] = text.split("; largest: ");
  const found = [...list.matchAll(/(\S+) (\d+)(?:,|$)/g)];
  return {
    says: says.replace(/^[a-z]+[A-Z]\w*: /, ""),
    largest: found.map(([, node = "", tokens]) => ({ node, tokens: Number(tokens) })),
  };
}

interface Props {
  fault: Fault;
  nodes: OnPath[];
  acts: Acts;
  close: () => void;
}

export function Refused({ fault, nodes, acts, close }: Props) {
  const { says, largest } = useMemo(() => toldIn(fault.text), [fault.text]);
  const texts = new Map(nodes.map(({ node }) => [node.id, node]));
  const shown = largest.filter((one) => !texts.get(one.node)?.excluded);
  return (
    <section className="loom-refused" role="alert" aria-label="It does not fit">
      <div className="row">
        <strong className="grow">{says}</strong>
        <Icon label="Close" onClick={close}>
          ✕
        </Icon>
      </div>
      <p className="small">
        Exclude something, or choose another model or strategy.{shown.length > 0 && " The largest segments:"}
      </p>
      <ul>
        {shown.map(({ node, tokens }) => (
          <li key={node} className="row">
            <span className="cut grow">{onOneLine(textOf(texts.get(node) ?? { id: node, author: "" })) || node}</span>
            <span className="small soft">{count(tokens, "token")}</span>
            <Button onClick={() => void acts.flag(node, "excluded", true)}>Exclude</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
