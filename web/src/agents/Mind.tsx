/** A list that is edited as a whole and saved at once: goals and memories are both such lists. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { told } from "../api/client";
import { Button, FaultBox, Icon, Spinner } from "../ui/controls";
import { number } from "../ui/numbers";
import { attempt, say } from "../ui/toasts";

const MOST = 100;

interface MindProps<T> {
  title: string;
  says: string;
  part: string;
  queryKey: string[];
  load: () => Promise<T[]>;
  save: (entries: T[]) => Promise<T[]>;
  fresh: () => T;
  /** Whether an entry may be saved as it is. */
  isWhole: (entry: T) => boolean;
  add: string;
  mark: (part: string, unsaved: boolean) => void;
  children: (entry: T, change: (part: Partial<T>) => void) => ReactNode;
}

export function Mind<T extends object>(props: MindProps<T>) {
  const { data, error, refetch } = useQuery({ queryKey: props.queryKey, queryFn: props.load });
  return (
    <section className="card" aria-label={props.title}>
      <h2>{props.title}</h2>
      <p className="soft small">{props.says}</p>
      {error && <FaultBox text={told(error)} again={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && <Editor key={JSON.stringify(data)} {...props} saved={data} />}
    </section>
  );
}

/** Entries have no ids of their own: each gets one for as long as it is edited. */
interface Line<T> {
  id: number;
  entry: T;
}

let lines = 0;

function Editor<T extends object>({ saved, ...props }: MindProps<T> & { saved: T[] }) {
  const queries = useQueryClient();
  const { part, mark } = props;
  const fresh = () => saved.map((entry): Line<T> => ({ id: ++lines, entry }));
  const [list, setList] = useState(fresh);
  const [busy, setBusy] = useState(false);
  const entries = list.map((line) => line.entry);
  const unsaved = JSON.stringify(entries) !== JSON.stringify(saved);
  useEffect(() => mark(part, unsaved), [mark, part, unsaved]);
  useEffect(() => () => mark(part, false), [mark, part]);
  const save = async () => {
    setBusy(true);
    const kept = await attempt(() => props.save(entries));
    setBusy(false);
    if (!kept) return;
    queries.setQueryData(props.queryKey, kept);
    say("Saved.");
  };
  const move = (at: number, to: number) => {
    const next = [...list];
    const [line] = next.splice(at, 1);
    if (line) next.splice(to, 0, line);
    setList(next);
  };
  return (
    <>
      {list.length > 0 && (
        <ul className="mind">
          {list.map((line, at) => (
            <li key={line.id}>
              {props.children(line.entry, (change) =>
                setList(list.map((one) => (one === line ? { ...one, entry: { ...one.entry, ...change } } : one))),
              )}
              <span className="row">
                <Icon label="Up" disabled={at === 0} onClick={() => move(at, at - 1)}>
                  ↑
                </Icon>
                <Icon label="Down" disabled={at === list.length - 1} onClick={() => move(at, at + 1)}>
                  ↓
                </Icon>
                <Icon label="Remove" onClick={() => setList(list.filter((one) => one !== line))}>
                  ✕
                </Icon>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row wrap">
        <Button
          disabled={list.length >= MOST}
          onClick={() => setList([...list, { id: ++lines, entry: props.fresh() }])}
        >
          {props.add}
        </Button>
        <span className="grow soft small">
          {list.length > 0 && `${number(list.length)} of ${MOST}; all of them are in every request.`}
        </span>
        {unsaved && (
          <>
            <Button onClick={() => setList(fresh())}>Discard</Button>
            <Button look="main" disabled={busy || !entries.every(props.isWhole)} onClick={() => void save()}>
              Save
            </Button>
          </>
        )}
      </div>
    </>
  );
}
