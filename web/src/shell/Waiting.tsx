/** Runs that wait for whoever looks, whatever space is open. */
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useEntityName, useSpaceName } from "../agents/names";
import type { Run } from "../api/types";
import { useHouse } from "../live/house";
import { useRunsFollow } from "../runs/data";
import { Since } from "../runs/Since";
import { inTurn, stands } from "../runs/words";
import { useCalling } from "./calling";
import { Sign } from "./Sign";

const SHOWN = 5;

export function Waiting() {
  const known = useHouse().waiting;
  const waiting = useMemo(() => inTurn(known ?? []), [known]);
  useRunsFollow();
  useCalling(waiting, known !== null);
  if (waiting.length === 0) return null;
  return (
    <section className="waiting-runs" aria-label="Waiting for you">
      <h2>Waiting</h2>
      <ul>
        {waiting.slice(0, SHOWN).map((run) => (
          <One key={run.id} run={run} />
        ))}
      </ul>
      {waiting.length > SHOWN && (
        <Link to="/runs" className="small">
          {waiting.length - SHOWN} more
        </Link>
      )}
    </section>
  );
}

/** To answer one goes to the space; to decide or to look why it stands still, to the run. */
function One({ run }: { run: Run }) {
  const nameOf = useEntityName();
  const spaceName = useSpaceName();
  const { sign, words } = stands(run);
  const at = run.waitsIn ?? run.space;
  const place = at ? spaceName(at) : undefined;
  const says = (
    <>
      <Sign name={sign} size={13} />
      <span className="grow">
        <span className="cut">
          <strong>{nameOf(run.agent)}</strong> <span className="soft">{place && `in ${place}`}</span>
        </span>
        <span className="cut small soft">
          {words}
          {run.waitsSince && (
            <>
              {" · "}
              <Since at={run.waitsSince} />
            </>
          )}
        </span>
      </span>
    </>
  );
  return (
    <li>
      {run.status === "waiting_reply" && at && place ? (
        <Link to="/s/$space" params={{ space: at }} preload={false}>
          {says}
        </Link>
      ) : (
        <Link to="/runs/$run" params={{ run: run.id }}>
          {says}
        </Link>
      )}
    </li>
  );
}
