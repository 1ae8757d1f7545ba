import type { RunTable } from "../messages";
import { named } from "../strings";

const NUMERIC = /^[-−+±]?[\d.,\s%±()/–−+-]+$/;

/** A table as the server made it: columns of numbers stand to the right. */
export function ResultTable({ table }: { table: RunTable }) {
  const right = table.head.map((_, column) => table.rows.length > 0 && table.rows.every((row) => row[column] === undefined || row[column] === "" || NUMERIC.test(row[column])));
  return (
    <figure class="result-table">
      {table.title ? <figcaption><h3>{table.title}</h3></figcaption> : null}
      <div class="scroll" tabIndex={0} role="region" aria-label={table.title}>
        <table>
          <thead><tr>{table.head.map((name, i) => <th key={i} class={right[i] ? "num" : undefined}>{named("head", name)}</th>)}</tr></thead>
          <tbody>{table.rows.map((row, i) => <tr key={i}>{row.map((cell, k) => <td key={k} class={right[k] ? "num" : undefined}>{named("seat", cell, cell).replace(/(^|\s)-(?=\d)/g, "$1−")}</td>)}</tr>)}</tbody>
        </table>
      </div>
    </figure>
  );
}
