/** Who or what used how much, as bars beside their names. */
import { Link } from "@tanstack/react-router";
import { compact } from "../ui/numbers";
import { Numbers } from "./Numbers";
import { BUCKETS, costWords, largestFirst, type Total, tokens } from "./sums";

interface BarsProps {
  title: string;
  rows: Total[];
  nameOf: (key: string | null | undefined) => string;
  /** Whether they are spaces that one can go to. */
  spaces: boolean;
}

const SHOWN = 12;

export function Bars({ title, rows, nameOf, spaces }: BarsProps) {
  const sorted = [...rows].sort(largestFirst);
  const most = Math.max(1, ...sorted.map((row) => tokens(row.usage)));
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <div className="card">
        <ul className="bars">
          {sorted.slice(0, SHOWN).map((row) => (
            <li key={row.key ?? ""}>
              <span className="cut bar-name">
                {spaces && row.key ? (
                  <Link to="/s/$space" params={{ space: row.key }}>
                    {nameOf(row.key)}
                  </Link>
                ) : (
                  nameOf(row.key)
                )}
              </span>
              <Bar row={row} most={most} />
              <span className="amount small">{compact(tokens(row.usage))}</span>
              <span className="amount small">{costWords(row)}</span>
            </li>
          ))}
        </ul>
        {sorted.length > SHOWN && <p className="soft small">{sorted.length - SHOWN} more in the table.</p>}
        <Numbers
          label={`Numbers ${title.toLowerCase()}`}
          first={title.slice(3)}
          rows={sorted.map((row) => ({ name: nameOf(row.key), total: row }))}
        />
      </div>
    </section>
  );
}

function Bar({ row, most }: { row: Total; most: number }) {
  let x = 0;
  return (
    <svg className="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {BUCKETS.map((bucket) => {
        const wide = ((row.usage[bucket.id] ?? 0) / most) * 100;
        const at = x;
        x += wide;
        return <rect key={bucket.id} data-bucket={bucket.id} x={at} y={0} width={wide} height={10} />;
      })}
    </svg>
  );
}
