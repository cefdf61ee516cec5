/** Calls that your programs made through the drop-in endpoints, newest first; for the page of usage. */
import { Link } from "@tanstack/react-router";
import { told } from "../api/client";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { atFull, money, number, when } from "../ui/numbers";
import { usePages } from "./CallsDialog";
import { readOf } from "./cost";
import { OUTCOMES } from "./words";
import "./inspector.css";

export function OwnCalls() {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = usePages(null);
  if (isPending) return <Spinner />;
  if (error && !data) return <FaultBox text={told(error)} again={() => void refetch()} />;
  const calls = data.pages.flatMap((page) => page.calls);
  if (calls.length === 0) {
    return (
      <Empty title="No program of yours has asked yet" action={<Link to="/settings">Make a token</Link>}>
        A program that speaks to OpenAI, Anthropic, Gemini or Ollama can speak to this address instead; each of its
        requests is then told of here.
      </Empty>
    );
  }
  return (
    <div className="stack">
      <div className="scrolls">
        <table aria-label="Calls of your programs">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Model</th>
              <th scope="col">Ended</th>
              <th scope="col" className="number">
                Read
              </th>
              <th scope="col" className="number">
                Written
              </th>
              <th scope="col">Source</th>
              <th scope="col" className="number">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <tr key={call.id}>
                <th scope="row" className="plain">
                  <Link to="/calls/$call" params={{ call: call.id }} title={call.at ? atFull(call.at) : call.id}>
                    {call.at ? when(call.at) : call.id.slice(-8)}
                  </Link>
                </th>
                <td className="breaks">{call.model ?? "not told"}</td>
                <td>{call.outcome ? OUTCOMES[call.outcome] : "still running"}</td>
                <td className="number">{call.usage ? number(readOf(call.usage)) : "—"}</td>
                <td className="number">{call.usage ? number(call.usage.output ?? 0) : "—"}</td>
                <td>{call.usage ? (call.estimated ? "counted here" : "reported") : ""}</td>
                <td className="number">{money(call.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? "Loading" : "Earlier calls"}
        </Button>
      )}
    </div>
  );
}
