/** One file: what was recognised, what would come in, what is lost, and what became of it. */

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Chip, Icon } from "../ui/controls";
import { count, number } from "../ui/numbers";
import { Scrolls } from "../ui/Scrolls";
import { again, drop, type Moved } from "./files";
import { LossTable } from "./LossTable";
import { type CameIn, FORMATS, found, lossWords, size, taken } from "./words";

export function OneFile({ one }: { one: Moved }) {
  const idle = one.state !== "looking" && one.state !== "taking";
  return (
    <li className="card file">
      <div className="row wrap">
        <strong className="grow wraps">{one.file.name}</strong>
        <span className="soft small">{size(one.file.size)}</span>
        {one.came && <Chip>{FORMATS[one.came.format]}</Chip>}
        {idle && (
          <Icon label={`Take ${one.file.name} off the list`} onClick={() => drop(one.id)}>
            ✕
          </Icon>
        )}
      </div>
      {!idle && <Progress one={one} />}
      {one.state === "waits" && <p className="soft small">Waits for its turn.</p>}
      {one.state === "failed" && <Failed one={one} />}
      {one.came && one.state !== "failed" && <Came came={one.came} done={one.state === "taken"} />}
    </li>
  );
}

/** How far it is: first the sending, then the server's reading, which cannot be measured. */
function Progress({ one }: { one: Moved }) {
  const percent = Math.round(one.sent * 100);
  const reading = one.sent >= 1;
  return (
    <div className="stack">
      <progress
        className="sending"
        aria-label={`Sending ${one.file.name}`}
        max={100}
        {...(reading ? {} : { value: percent })}
      />
      <span className="soft small" role="status">
        {reading ? (one.state === "looking" ? "The server looks at it." : "It is taken in.") : `${percent} % sent`}
      </span>
    </div>
  );
}

function Failed({ one }: { one: Moved }) {
  const [from, setFrom] = useState(one.from ?? "");
  return (
    <>
      <p role="alert" className="file-fault">
        {one.fault}
      </p>
      {one.file.size > 0 && (
        <div className="row wrap">
          <select
            className="input short"
            aria-label="Format"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          >
            <option value="">Find out the format</option>
            {Object.entries(FORMATS).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <Button onClick={() => again(one.id, from || undefined)}>Try again</Button>
        </div>
      )}
    </>
  );
}

const SHOWN = 8;

function Came({ came, done }: { came: CameIn; done: boolean }) {
  const [all, setAll] = useState(false);
  const spaces = all ? came.spaces : came.spaces.slice(0, SHOWN);
  return (
    <>
      <p>
        {done ? taken(came) : found(came)}. <span className="soft">{lossWords(came.loss)}</span>
      </p>
      <Scrolls label="Conversations in the file">
        <table className="small">
          <thead>
            <tr>
              <th>Conversation</th>
              <th className="number">Messages</th>
              {done && <th className="number">New</th>}
              {done && <th className="number">Known</th>}
            </tr>
          </thead>
          <tbody>
            {spaces.map((space, at) => (
              <tr key={space.id ?? `${at} ${space.name}`}>
                <td className="wraps">
                  {space.id ? (
                    <Link to="/s/$space" params={{ space: space.id }}>
                      {space.name || "Unnamed"}
                    </Link>
                  ) : (
                    space.name || "Unnamed"
                  )}
                  {space.error && <div className="file-fault">Not taken in: {space.error}</div>}
                </td>
                <td className="number">{number(space.nodes)}</td>
                {done && <td className="number">{number(space.added)}</td>}
                {done && <td className="number">{number(space.known)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      {came.spaces.length > SHOWN && !all && (
        <div>
          <Button onClick={() => setAll(true)}>All {count(came.spaces.length, "conversation")}</Button>
        </div>
      )}
      <LossTable loss={came.loss} />
    </>
  );
}
