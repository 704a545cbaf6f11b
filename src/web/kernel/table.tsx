import type { ComponentChildren, JSX } from 'preact';
import { type Column, format, headingOf, isNumeric, nothing } from '../../base/format.ts';
import { columnsOf } from '../../questions/columns.ts';
import { productHref } from './addresses.ts';
import type { Block, Query, Shown } from './page.ts';
import { Card, listCard, Scroll } from './parts.tsx';

type AnyRow = Readonly<Record<string, unknown>>;

interface Options<Row> {
  readonly title?: string;
  /** Content of cells by column. */
  readonly cells?: { readonly [Name in keyof Row]?: (row: Row) => ComponentChildren };
  readonly limit?: number;
  readonly onPhone?: readonly (keyof Row)[];
}

/** The rows as a plain table with the columns of the terminal; those that no row fills are left out. */
export const table =
  <Row extends AnyRow>({ title = '', cells = {}, limit, onPhone }: Options<Row> = {}): Block<Row, AnyRow> =>
  async (page) => {
    const found = await page.rows({ limit });
    const { question, parameters } = page;
    const columns = columnsOf(question, ...question.table(parameters));
    const list = <Table {...{ columns, cells, onPhone }} caption={title || question.about} rows={found.rows} />;
    return listCard(page, found, { title, isShort: limit !== undefined }, list);
  };

/** A table of another statement in a card; nothing if it has no rows and no text for that. */
export const tableOf =
  <Row, Parameters, const Columns extends readonly Column[]>(
    query: (page: Shown<Row, Parameters>) => Promise<Query<Columns> & Pick<Options<AnyRow>, 'onPhone'>>,
    none?: string,
  ): Block<Row, Parameters> =>
  async (page) => {
    const { onPhone, ...asked } = await query(page);
    const { caption, columns } = asked;
    const rows = (await page.ask(asked)) as readonly AnyRow[];
    if (rows.length === 0 && none === undefined) return null;
    return (
      <Card title={caption}>
        {rows.length === 0 ? <p class="none">{none}</p> : <Table {...{ caption, columns, rows, onPhone }} />}
      </Card>
    );
  };

/** Columns that a phone has room for; a row of more is shown as a list of its cells. */
const maxOnPhone = 3;

/** A table of rows. */
export function Table<Row extends AnyRow>(props: {
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  cells?: { readonly [Name in keyof Row]?: (row: Row) => ComponentChildren };
  /** Columns that a phone shows as a table; by default it shows all, as a list if they are many. */
  onPhone?: readonly (keyof Row)[] | undefined;
}): JSX.Element {
  const { caption, rows, onPhone, cells = {} as { [name: string]: (row: Row) => ComponentChildren } } = props;
  const isFilled = ({ name, or }: Column) => rows.some((row) => (row[name] ?? row[or ?? '']) != null);
  const columns = props.columns.filter(isFilled);
  // A phone leaves out what is not known.
  const classIn = (column: Column, content?: ComponentChildren) => {
    const more = [content === nothing && 'nothing', onPhone?.includes(column.name) === false && 'roomy'];
    return [classOf(column), ...more].filter(Boolean).join(' ') || undefined;
  };
  // An average has an error: a colour would call a change clear that may not be.
  const isColoured = columns.some(({ name }) => name.endsWith('title'));
  return (
    <Scroll label={caption} rows={rows.length}>
      <table class={columns.length > maxOnPhone && !onPhone ? 'many' : undefined}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classIn(column)}>
                {headingOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {columns.map((column) => {
                const cell = (cells as Readonly<Record<string, (row: Row) => ComponentChildren>>)[column.name];
                const content = cell ? cell(row) : shownIn(row, column, isColoured);
                return (
                  <td key={column.name} class={classIn(column, content)} data-name={headingOf(column)}>
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
function classOf(column: Column): string | undefined {
  if (isNumeric(column)) return 'number';
  return column.as === 'instant' ? 'date' : column.as;
}

/** What names a product links to it, and a change has the colour of its direction. */
function shownIn(row: AnyRow, column: Column, isColoured: boolean): ComponentChildren {
  const { region, product_id: id } = row;
  const words = format(row, column);
  const change = isColoured && column.as === 'percent' ? Number(row[column.name]) : 0;
  if (Math.abs(change) >= 0.05) return <span class={change > 0 ? 'up' : 'down'}>{words}</span>;
  const isName = column.name === 'title' && typeof region === 'string' && typeof id === 'string';
  return isName ? <a href={productHref(region, id)}>{words}</a> : words;
}
