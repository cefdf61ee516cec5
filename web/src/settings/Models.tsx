/** Every model that can be asked, with its window and prices. */

import { useState } from "react";
import { useModels } from "../agents/ModelField";
import { told } from "../api/client";
import { Button, Empty, FaultBox, Spinner } from "../ui/controls";
import { compact, number } from "../ui/numbers";
import { Scrolls } from "../ui/Scrolls";

const AT_ONCE = 100;
const price = (usd: number | null | undefined) => (usd === null || usd === undefined ? "—" : `$${usd}`);

export function Models() {
  const { data, error, refetch } = useModels();
  const [asked, setAsked] = useState("");
  const [shown, setShown] = useState(AT_ONCE);
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (data?.models ?? []).filter((model) => words.every((word) => model.id.toLowerCase().includes(word)));
  if (error) return <FaultBox text={told(error)} again={() => void refetch()} />;
  if (!data) return <Spinner label="Loading models" />;
  return (
    <section aria-label="Models">
      <input
        className="input"
        type="search"
        aria-label="Find a model"
        placeholder={`Find among ${number(data.models.length)}…`}
        value={asked}
        onChange={(event) => setAsked(event.target.value)}
      />
      {found.length === 0 ? (
        <Empty title="No model is called that" />
      ) : (
        <Scrolls label="Table of models">
          <table className="small">
            <thead>
              <tr>
                <th>Model</th>
                <th className="number">Window</th>
                <th className="number">Writes</th>
                <th className="number">Read</th>
                <th className="number">From cache</th>
                <th className="number">Into cache</th>
                <th className="number">Written</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, shown).map((model) => (
                <tr key={model.id}>
                  <th scope="row" className="wraps">
                    {model.id}
                  </th>
                  <td className="number">{model.contextLength ? compact(model.contextLength) : "—"}</td>
                  <td className="number">{model.maxOutput ? compact(model.maxOutput) : "—"}</td>
                  <td className="number">{price(model.prices?.input)}</td>
                  <td className="number">{price(model.prices?.cacheRead)}</td>
                  <td className="number">{price(model.prices?.cacheWrite)}</td>
                  <td className="number">{price(model.prices?.output)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      )}
      {found.length > shown && <Button onClick={() => setShown(shown + AT_ONCE)}>More</Button>}
      <p className="soft small">US dollars for a million tokens. A dash: not known.</p>
    </section>
  );
}
