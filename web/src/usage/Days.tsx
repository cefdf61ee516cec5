/** Tokens day by day, as bars; the same as a table. */

import { compact, day as inWords } from "../ui/numbers";
import { Scrolls } from "../ui/Scrolls";
import { Numbers } from "./Numbers";
import { BUCKETS, dayOf, everyDay, type Total, tokens } from "./sums";
import type { Scope } from "./Usage";

const HEIGHT = 140;
const WIDTH = 900;

export function Days({ rows, scope }: { rows: Total[]; scope: Scope }) {
  const days = everyDay(rows, scope.since, scope.since && !scope.until ? dayOf(new Date()) : scope.until);
  const most = Math.max(1, ...days.map((one) => (one.total ? tokens(one.total.usage) : 0)));
  const bar = Math.min(28, Math.max(5, Math.floor(WIDTH / Math.max(days.length, 1))));
  const width = days.length * bar + 30;
  const step = Math.ceil(48 / bar);
  const words = (day: string) => inWords(`${day}T12:00:00`);
  return (
    <section aria-label="By day">
      <h2>By day</h2>
      <div className="card">
        <Scrolls label="Chart by day" fromEnd>
          <svg
            className="days"
            width={width}
            height={HEIGHT + 18}
            role="img"
            aria-label={`Tokens by day, at most ${compact(most)} a day. The numbers are in the table below.`}
          >
            <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} className="axis" />
            <text x={0} y={10} className="label">
              {compact(most)}
            </text>
            {days.map(({ day, total }, at) => (
              <g key={day}>
                <title>{`${words(day)}: ${total ? `${compact(tokens(total.usage))} tokens` : "nothing"}`}</title>
                <rect x={at * bar} y={0} width={bar} height={HEIGHT} className="spot" />
                {total && <Stack total={total} x={at * bar} wide={bar - Math.ceil(bar / 5)} most={most} />}
                {at % step === 0 && (
                  <text x={at * bar} y={HEIGHT + 14} className="label">
                    {day.slice(5)}
                  </text>
                )}
              </g>
            ))}
          </svg>
        </Scrolls>
        <Legend />
        <Numbers
          label="Numbers by day"
          first="Day"
          rows={days.filter((one) => one.total).map((one) => ({ name: words(one.day), total: one.total as Total }))}
        />
      </div>
    </section>
  );
}

/** One day's four buckets, on top of each other. */
function Stack({ total, x, wide, most }: { total: Total; x: number; wide: number; most: number }) {
  let y = HEIGHT;
  return BUCKETS.map((bucket) => {
    const tall = ((total.usage[bucket.id] ?? 0) / most) * (HEIGHT - 16);
    y -= tall;
    return tall > 0 ? (
      <rect key={bucket.id} data-bucket={bucket.id} x={x} y={y} width={wide} height={Math.max(tall, 0.75)} />
    ) : null;
  });
}

function Legend() {
  return (
    <div className="row wrap small soft">
      {BUCKETS.map((bucket) => (
        <span key={bucket.id} className="row">
          <span className="swatch" data-bucket={bucket.id} aria-hidden="true" /> {bucket.name}
        </span>
      ))}
    </div>
  );
}
