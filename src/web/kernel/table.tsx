import type { ComponentChildren, JSX } from 'preact';
import { type Column, format, headingOf, isNumeric, nothing } from '../../base/format.ts';
import { columnsOf } from '../../questions/columns.ts';
import { productHref } from './addresses.ts';
import type { Block, Shown } from './page.ts';
import { listCard, Scroll } from './parts.tsx';
import { unitName } from './words.ts';

type AnyRow = Readonly<Record<string, unknown>>;

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Content of cells by column. */
  readonly cells?: { readonly [Name in keyof Row]?: (row: Row) => ComponentChildren };
  /** Columns that a phone shows, a line for each row; by default all of them. */
  readonly onPhone?: readonly string[];
  /** Whether columns that are the same in all rows are said above them instead. */
  readonly saysSame?: true;
}

interface Options<Row> extends Pick<TableProps<Row>, 'cells' | 'onPhone'> {
  readonly title?: string;
  /** By default those of the terminal. */
  readonly columns?: readonly (keyof Row & string)[];
  readonly limit?: number;
}

/** The rows as a plain table; columns that no row fills are left out. */
export const table =
  <Row extends AnyRow, Parameters>(
    options: Options<Row> | ((page: Shown<Row, Parameters>) => Options<Row>) = {},
  ): Block<Row, Parameters> =>
  async (page) => {
    const { question, parameters } = page;
    const { title = '', columns, limit, ...look } = typeof options === 'function' ? options(page) : options;
    const found = await page.rows({ limit });
    const usual = question.table(parameters as never);
    // A title leads to its product, whose id a terminal shows.
    const names = columns ?? usual.filter((name) => name !== 'product_id' || !usual.includes('title'));
    const [caption, shown] = [title || question.about, columnsOf(question, ...names)];
    const list = <Table {...look} {...{ caption, columns: shown, rows: found.rows }} saysSame />;
    return listCard(page, found, { title, isShort: limit !== undefined }, list);
  };

/** Rows from which on a column that is the same in all is said once: in fewer it may be so by chance. */
const leastSame = 10;

/** Columns that have room beside each other on a phone. */
const mostBeside = 3;

/** A table of rows. On a phone, a row of many columns is a name and below it its values with their headings. */
export function Table<Row extends AnyRow>(props: TableProps<Row>): JSX.Element {
  const { caption, rows, saysSame, onPhone } = props;
  const cells: Readonly<Record<string, ((row: Row) => ComponentChildren) | undefined>> = props.cells ?? {};
  const filled = props.columns.filter(({ name, or }) => rows.some((row) => (row[name] ?? row[or ?? '']) != null));
  const contentOf = (row: Row, column: Column) => cells[column.name]?.(row) ?? shownIn(row, column);
  const isSame = (column: Column) => {
    const words = contentOf(rows[0]!, column);
    return typeof words === 'string' && rows.every((row) => contentOf(row, column) === words);
  };
  const same = saysSame && rows.length >= leastSame ? filled.slice(1).filter(isSame) : [];
  const columns = filled.filter((column) => !same.includes(column));
  const isStacked = onPhone === undefined && columns.length > mostBeside;
  const first = columns.find(({ name }) => name === 'title') ?? columns[0];
  const classesOf = (column: Column) => {
    const isHidden = onPhone?.includes(column.name) === false;
    const all = [classOf(column), isHidden && 'wide', isStacked && column === first && 'item-cell'];
    return all.filter(Boolean).join(' ') || undefined;
  };
  return (
    <>
      {same.length > 0 && (
        <p class="quiet">
          {`Same in all rows here – ${same.map((one) => `${headingOf(one)}: ${contentOf(rows[0]!, one)}`).join(' · ')}`}
        </p>
      )}
      <Scroll label={caption} rows={rows.length}>
        <table class={isStacked ? 'stacked' : undefined}>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" class={classesOf(column)}>
                  {headingOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {columns.map((column) => (
                  <td key={column.name} class={classesOf(column)} data-name={isStacked ? headingOf(column) : undefined}>
                    {contentOf(row, column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** Right-aligns numbers, keeps dates on one line and gives sentences enough width. */
const classOf = (column: Column) => (isNumeric(column) ? 'number' : column.as === 'instant' ? 'date' : column.as);

/** What names a product links to it, a price per unit names the unit, and a change has the colour of its direction. */
function shownIn(row: AnyRow, column: Column): ComponentChildren {
  const { region, product_id: id, unit_of_measure: unit } = row;
  const words = format(row, column);
  if (column.name === 'unit_price' && words !== nothing) return `${words} / ${unitName(unit as string | null)}`;
  // An average has an error: a colour would call a change clear that may not be.
  const change = 'title' in row && column.as === 'percent' ? Number(row[column.name]) : 0;
  if (Math.abs(change) >= 0.05) return <span class={change > 0 ? 'up' : 'down'}>{words}</span>;
  const isName = column.name === 'title' && typeof region === 'string' && typeof id === 'string';
  return isName ? <a href={productHref(region, id)}>{words}</a> : words;
}
