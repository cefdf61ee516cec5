/** The calls of models of a run, with what they used. */

import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { money, number, share, when } from "../ui/numbers";
import { Scrolls } from "../ui/Scrolls";
import { costOf } from "./words";

type Tale = Schemas["RunTale"];

export function Calls({ tale }: { tale: Tale }) {
  const { calls, run } = tale;
  if (calls.length === 0) return null;
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = tale.usage;
  return (
    <section aria-label="Calls of models">
      <h2>Calls of models</h2>
      <Scrolls label="Table of calls">
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>Model</th>
              <th className="number">Read</th>
              <th className="number">From cache</th>
              <th className="number">Into cache</th>
              <th className="number">Written</th>
              <th className="number">Took</th>
              <th className="number">Cost</th>
              <th>
                <span className="unseen">Look at it</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <tr key={call.id}>
                <td>{call.at ? when(call.at) : "—"}</td>
                <td>{call.model ?? "—"}</td>
                <td className="number">{number(call.usage?.input ?? 0)}</td>
                <td className="number">{number(call.usage?.cacheRead ?? 0)}</td>
                <td className="number">{number(call.usage?.cacheWrite ?? 0)}</td>
                <td className="number">{number(call.usage?.output ?? 0)}</td>
                <td className="number">{call.durationMs == null ? "—" : `${(call.durationMs / 1000).toFixed(1)} s`}</td>
                <td className="number">{money(call.costUsd)}</td>
                <td>
                  {run.space && (
                    <Link
                      to="/s/$space"
                      params={{ space: run.space }}
                      search={{ inspect: "wire", call: call.id }}
                      aria-label={`Inspect the call of ${call.at ? when(call.at) : "then"}`}
                    >
                      Inspect
                    </Link>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th colSpan={2}>Together, {share(cacheRead, input + cacheRead + cacheWrite)} from cache</th>
              <td className="number">{number(input)}</td>
              <td className="number">{number(cacheRead)}</td>
              <td className="number">{number(cacheWrite)}</td>
              <td className="number">{number(output)}</td>
              <td />
              <td className="number">{money(costOf(tale))}</td>
              <td />
            </tr>
          </tfoot>
        </table>
      </Scrolls>
    </section>
  );
}
