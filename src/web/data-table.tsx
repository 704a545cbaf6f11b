import type { ComponentChildren, JSX } from 'preact';
import { type Column, headingOf, type Row } from '../questions/question.ts';
import type { Table } from './page.ts';
import { Card } from './parts.tsx';
import { Scroll } from './scroll.tsx';
import { withCode } from './with-code.tsx';
import { cellOf, nothing } from './words.ts';

interface DataTableProps<Answer> {
  readonly of: Table<Answer>;
  /** Custom cell content, such as links, by column name. */
  readonly cells?: Readonly<Record<string, (row: Answer) => ComponentChildren>>;
  /** Renders the table collapsed, for the numbers behind a chart. */
  readonly isFolded?: boolean;
}

/** Table with its caption and links to its CSV and SQL. */
export function DataTable<Answer>({ of: table, cells = {}, isFolded = false }: DataTableProps<Answer>): JSX.Element {
  const rows = table.rows.length === 0 ? null : <Rows table={table} cells={cells} />;
  if (rows === null) {
    return (
      <section class="table">
        <p class="caption">{table.caption}</p>
        <p class="none">{withCode(table.none ?? 'No rows in the certified nights.')}</p>
        <Ways table={table} />
      </section>
    );
  }
  if (isFolded) {
    return (
      <details class="table">
        <summary>{table.caption} as a table</summary>
        {rows}
        <Ways table={table} />
      </details>
    );
  }
  return (
    <section class="table">
      {rows}
      <Ways table={table} />
    </section>
  );
}

/** Table in a card with its caption as the heading. */
export function TableCard<Answer>(props: DataTableProps<Answer> & { aside?: ComponentChildren }): JSX.Element {
  return (
    <Card title={props.of.caption} aside={props.aside}>
      <DataTable {...props} />
    </Card>
  );
}

/** Table without the columns that no row fills; one without rows keeps all. */
export function filled<Answer>(table: Table<Answer>): Table<Answer> {
  const isFilled = ({ name }: Column) => table.rows.some((row) => (row as Row)[name] != null);
  return table.rows.length === 0 ? table : { ...table, columns: table.columns.filter(isFilled) };
}

/** Links to the CSV and SQL of a table with rows. */
export function Ways({ table: { name, caption, csvHref, wholeHref, rows } }: { table: Table<unknown> }) {
  if (rows.length === 0) return null;
  const files = wholeHref === null ? { CSV: csvHref } : { 'CSV of these rows': csvHref, 'CSV of all rows': wholeHref };
  return (
    <p class="ways">
      {Object.entries(files).map(([csv, href]) => (
        <a key={csv} href={href} aria-label={`${caption}: ${csv}`}>
          {csv}
        </a>
      ))}{' '}
      <a href={`#sql-${name}`} aria-label={`${caption}: the SQL behind it`}>
        SQL
      </a>
    </p>
  );
}

/** Columns that a phone has room for; a row of more is shown as a list of its cells. */
const mostOnPhone = 3;

function Rows<Answer>({
  table,
  cells,
}: {
  table: Table<Answer>;
  cells: Readonly<Record<string, (row: Answer) => ComponentChildren>>;
}) {
  return (
    <Scroll label={table.caption}>
      <table class={table.columns.length > mostOnPhone ? 'many' : undefined}>
        <caption>{table.caption}</caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column.as)}>
                {headingOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={i}>
              {table.columns.map((column) => {
                const content = cells[column.name]?.(row) ?? cellOf(row as Row, column);
                // A phone leaves out what is not known.
                const shown = content === nothing ? `${classOf(column.as) ?? ''} nothing` : classOf(column.as);
                return (
                  <td key={column.name} class={shown} data-name={headingOf(column)}>
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Right-aligns numbers, keeps dates on one line and gives sentences enough width. */
function classOf(as: Column['as']): string | undefined {
  switch (as) {
    case 'number':
    case 'decimal':
    case 'money':
    case 'percent':
      return 'number';
    case 'date':
    case 'instant':
      return 'date';
    case 'sentence':
      return 'sentence';
    default:
      return undefined;
  }
}
