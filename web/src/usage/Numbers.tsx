/** Figures as a table: for whoever wants them exactly, or cannot see the bars. */

import { number } from "../ui/numbers";
import { Scrolls } from "../ui/Scrolls";
import { BUCKETS, cacheHit, costWords, type Total } from "./sums";

interface NumbersProps {
  label: string;
  first: string;
  rows: { name: string; total: Total }[];
}

export function Numbers({ label, first, rows }: NumbersProps) {
  return (
    <details>
      <summary className="small">{label}</summary>
      <Scrolls label={label}>
        <table className="small">
          <thead>
            <tr>
              <th>{first}</th>
              <th className="number">Calls</th>
              {BUCKETS.map((bucket) => (
                <th key={bucket.id} className="number">
                  {bucket.name}
                </th>
              ))}
              <th className="number">Cache hits</th>
              <th className="number">Cost</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, total }) => {
              const hit = cacheHit(total.usage);
              return (
                <tr key={total.key ?? ""}>
                  <th scope="row">{name}</th>
                  <td className="number">{number(total.calls)}</td>
                  {BUCKETS.map((bucket) => (
                    <td key={bucket.id} className="number">
                      {number(total.usage[bucket.id] ?? 0)}
                    </td>
                  ))}
                  <td className="number">{hit === null ? "—" : `${Math.round(hit * 100)} %`}</td>
                  <td className="number">{costWords(total)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scrolls>
      <p className="soft small">
        ≈ some tokens were counted here, because the provider told of none. + some calls have no known price. — no price
        is known.
      </p>
    </details>
  );
}
