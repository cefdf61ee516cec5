/** One tool: what a model is told of it, when it may run, and what changed in its description. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, done } from "../api/client";
import { Button, Chip } from "../ui/controls";
import { attempt, say } from "../ui/toasts";
import { type Approval, DECISIONS, type Decision, firstLine, type Tool, WHEN } from "./toolWords";

interface OneToolProps {
  agent: string;
  tool: Tool;
  owner: boolean;
}

export function OneTool({ agent, tool, owner }: OneToolProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const name = useRef<HTMLElement>(null);
  const change = async (body: { approval?: Decision; trust?: string }, words: string) => {
    if (busy) return;
    setBusy(true);
    const kept = await attempt(() =>
      done(api.PATCH("/api/tools/{tool}", { params: { path: { tool: tool.name } }, body })),
    );
    setBusy(false);
    // What one tool does decides whether others are given, so all are asked for again.
    await queries.invalidateQueries({ queryKey: ["agents", agent, "tools"] });
    if (kept) say(words);
    // What was pressed is gone with what it was about.
    if (kept && body.trust) name.current?.focus();
  };
  const first = firstLine(tool.description);
  return (
    <li className={`given ${tool.offered ? "" : "held"}`}>
      <details className="grow" open={tool.changed ? true : undefined}>
        <summary ref={name}>
          <code className="given-name">{tool.name}</code>
          <span className="soft small cut">{first}</span>
        </summary>
        <p className="small given-says">{tool.description || "It says nothing of itself."}</p>
        {tool.changed && (
          <div className="given-changed">
            <p className="small">
              What its server says of it is not what was trusted, so it is not given to any run until an owner trusts it
              again.
            </p>
            <pre className="small">{tool.changed.difference}</pre>
            {owner && (
              <Button
                aria-disabled={busy}
                onClick={() =>
                  void change({ trust: tool.changed?.fingerprint }, `${tool.name} is trusted as it is described now.`)
                }
              >
                Trust it as it is now
              </Button>
            )}
          </div>
        )}
      </details>
      {tool.changed && <Chip tone="yellow">△ changed</Chip>}
      {tool.from !== "server" ? null : owner ? (
        <select
          className="input given-when"
          aria-label={`When ${tool.name} may run`}
          aria-disabled={busy}
          value={tool.approval}
          onChange={(event) => {
            const approval = event.target.value as Decision;
            void change({ approval }, `${tool.name}: ${DECISIONS[approval].toLowerCase()}, for every agent.`);
          }}
        >
          {(Object.keys(DECISIONS) as Decision[]).map((one) => (
            <option key={one} value={one}>
              {DECISIONS[one]}
            </option>
          ))}
        </select>
      ) : (
        <span className="soft small given-when">{WHEN[tool.approval as Approval]}</span>
      )}
    </li>
  );
}
