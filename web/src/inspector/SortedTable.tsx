/** A table whose columns sort it. */
import { type ReactNode, useState } from "react";

interface Column<T> {
  name: string;
  of: (row: T) => number;
  shown: (row: T) => ReactNode;
}

interface Props<T> {
  label: string;
  rows: T[];
  /** What the first column is called. */
  first: string;
  name: (row: T) => ReactNode;
  columns: Column<T>[];
  /** The column it is sorted by at first; the given order if none. */
  by?: string;
}

export function SortedTable<T extends { key: string }>({ label, rows, first, name, columns, by }: Props<T>) {
  const [sorted, sort] = useState(by ?? null);
  const column = columns.find((one) => one.name === sorted);
  const shown = column ? rows.toSorted((one, other) => column.of(other) - column.of(one)) : rows;
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          <th scope="col" aria-sort={sorted === null ? "other" : undefined}>
            <button type="button" className="sorts" onClick={() => sort(null)} title="In the order of the request">
              {first}
            </button>
          </th>
          {columns.map((one) => (
            <th
              key={one.name}
              scope="col"
              className="number"
              aria-sort={one.name === sorted ? "descending" : undefined}
            >
              <button type="button" className="sorts" onClick={() => sort(one.name)}>
                {one.name}
                <span aria-hidden="true">{one.name === sorted ? " ▾" : ""}</span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={row.key}>
            <th scope="row" className="plain">
              {name(row)}
            </th>
            {columns.map((one) => (
              <td key={one.name} className="number">
                {one.shown(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
