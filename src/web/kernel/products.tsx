import type { ComponentChildren, JSX } from 'preact';
import { type Span, spansOf } from '../charts/days.ts';
import { Key } from '../charts/drawing.tsx';
import { Spark } from '../charts/spark.tsx';
import { type Axis, segmentsOf } from '../charts/steps.ts';
import { type Changes, productHref, searchOf } from './addresses.ts';
import { Thumb } from './icons.tsx';
import type { Block, Lined } from './page.ts';
import { Badge, Kept, listCard, Scroll } from './parts.tsx';
import { pastOf } from './past-prices.ts';
import type { DrawnPrice, Line } from './product-line.ts';
import { verdictNumbers, verdictOf } from './verdicts.ts';
import { share, text } from './words.ts';

/** What every question about products has. */
export interface OfProduct {
  readonly region: string;
  readonly product_id: string;
  readonly title: string | null;
}

/** A cell after the product. A named cell is a constant of this type: the row must have what it needs. */
export interface Cell<Row> {
  readonly heading: string;
  readonly isPrice?: boolean;
  /** Whether a phone, which has no headings, shows the heading in the cell. */
  readonly isNamed?: boolean;
  show(row: Row): ComponentChildren;
}

interface ListOptions<Row> {
  /** Sign of the colour of the small chart. */
  readonly sign?: (row: Row & { readonly line: Line }) => number;
  /** Text below the name; by default the brand and badges. */
  readonly below?: (row: Row & { readonly line: Line }) => ComponentChildren;
  readonly cells: readonly Cell<Row & { readonly line: Line }>[];
}

interface ProductsOptions<Row, Parameters> extends ListOptions<Row> {
  readonly title: string | ((parameters: Parameters) => string);
  readonly aside?: ComponentChildren | ((parameters: Parameters) => ComponentChildren);
  readonly given?: NoInfer<Partial<Parameters>>;
  /** A short list of so many rows, with a link to the whole one of this name. */
  readonly only?: number | ((parameters: Parameters) => number | undefined);
  readonly all?: string;
  readonly drawn?: DrawnPrice | ((parameters: Parameters) => DrawnPrice);
  /** What an empty list says; by default what the question says, and a short list without it is left out. */
  readonly none?: string;
}

/** A card with products: picture, name, small chart, and the named cells. */
export const products =
  <Row extends OfProduct, Parameters>(options: ProductsOptions<Row, Parameters>): Block<Row, Parameters> =>
  async (page) => {
    const { parameters, hrefWith } = page;
    const { title, aside, given, all = 'The whole list', drawn = 'shelf', none } = options;
    const only = typeof options.only === 'function' ? options.only(parameters) : options.only;
    const found = await page.lined(typeof drawn === 'function' ? drawn(parameters) : drawn, { given, limit: only });
    if (only !== undefined && found.rows.length === 0 && none === undefined) return null;
    const said = typeof title === 'string' ? title : title(parameters);
    const whole = (
      <a class="more" href={hrefWith((given ?? {}) as Readonly<Record<string, string>>)}>
        {all}
      </a>
    );
    const remark = typeof aside === 'function' ? aside(parameters) : aside;
    const isShort = only !== undefined;
    const list = <ProductList of={found} options={options} caption={said} />;
    return listCard(page, found, { title: said, aside: isShort ? whole : remark, none, isShort }, list);
  };

/** Rows of products in a form that leads to their comparison. */
export function ProductList<Row extends OfProduct>(props: {
  of: Lined<Row>;
  options: ListOptions<NoInfer<Row>>;
  caption: string;
  /** Parameters that the form keeps, such as the items to which ticks are added; by default the region. */
  kept?: Changes;
  /** Name of the button if the rows have fields of their own instead of ticks. */
  button?: string;
}): JSX.Element {
  const { of: found, options, caption, button } = props;
  const { axis, span, rows } = found;
  const { cells, below, sign } = options;
  const { kept = { region: rows[0]?.region } } = props;
  const list = (
    <Scroll label={caption} rows={rows.length}>
      <table class="products stacked">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" class="line-cell">
              {span}
            </th>
            {cells.map(({ heading }) => (
              <th key={heading} scope="col" class="number">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <th scope="row" class="item-cell">
                <div class="item">
                  <Thumb department={row.line.department} title={row.title} />
                  <div>
                    <a class="name" href={productHref(row.region, row.product_id)}>
                      {text(row.title)}
                    </a>
                    <div class="sub">
                      {below ? below(row) : <Badges of={row.line} axis={axis} />}
                      {kept['items'] && !button && (
                        <a href={`/compare${searchOf({ ...kept, items: `${kept['items']},${row.product_id}` })}`}>
                          Add
                        </a>
                      )}
                    </div>
                  </div>
                  {/* After the name, which the keyboard reaches first. */}
                  {!button && (
                    <input type="checkbox" name="items" value={row.product_id} aria-label={`Tick ${text(row.title)}`} />
                  )}
                </div>
              </th>
              <td class="line-cell">
                {axis && (
                  <Spark
                    axis={axis}
                    segments={pricesOf(row.line, axis, 2)}
                    bands={offersOf(row.line, axis)}
                    change={sign ? sign(row) : changeOf(row.line, axis)}
                  />
                )}
              </td>
              {cells.map(({ heading, isPrice = false, isNamed = false, show }) => (
                <td
                  key={heading}
                  class={isPrice ? 'number price-cell' : 'number'}
                  data-name={isNamed ? heading : undefined}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
  return (
    <div class="table">
      <form action="/compare" autocomplete="off">
        <Kept of={kept} />
        {/* Enter in a tick box would press the first button. */}
        <input type="submit" disabled hidden />
        {list}
        <p class={button ? 'ticked' : 'ticked rows'}>
          {!button && <span>{'Ticked: '}</span>}
          <button type="submit">{button ?? (kept['items'] ? 'Add to the comparison' : 'Compare')}</button>
        </p>
      </form>
      {axis && <Key of={sign ? marks.slice(2) : marks} />}
    </div>
  );
}

/** What the small charts show. */
const marks = [
  ['dearer in 30 nights', <path class="line up" stroke="var(--own)" d="M0 8h12V3h12" />],
  ['cheaper', <path class="line down" stroke="var(--own)" d="M0 3h12v5h12" />],
  ['on offer', <rect class="band offer" width="24" height="12" />],
] as const;

/** What was drawn (2) or paid (3) on the nights of the small chart that are known. */
const pricesOf = ({ history }: Line, axis: Axis, place: 2 | 3) =>
  segmentsOf(
    (history ?? []).map((spell) => ({ from: spell[0], to: spell[1], value: spell[place] })),
    axis,
  );

/** Nights with an offer, up to the last one with a price; where two overlap, they are one span. */
function offersOf(line: Line, axis: Axis): Span[] {
  const end = pricesOf(line, axis, 2).at(-1)?.to ?? axis.to;
  const spans = segmentsOf(
    (line.offers ?? []).map(([from, to]) => ({ from, to, value: 1 })),
    axis,
  );
  return spansOf(axis.from, end, (day) => spans.some(({ from, to }) => from <= day && day < to));
}

/** Change of what is drawn in the last 30 nights. */
function changeOf(line: Line, axis: Axis): number {
  const drawn = pricesOf(line, axis, 2);
  const before = drawn.find(({ from, to }) => from < axis.to - 30 && axis.to - 30 <= to);
  return before === undefined ? 0 : drawn.at(-1)!.value - before.value;
}

/** Brand and at most two badges. */
export function Badges({ of: line, axis }: { of: Line; axis: Axis | null }) {
  const { brand, availability, on_promotion, verdict: checked, pack } = line;
  const verdict = verdictOf(checked?.[0] ?? null);
  const isSold = availability === 'available';
  const isJudged = isSold && verdict !== 'unchecked' && verdict !== 'early';
  const whose =
    Number(line.loyalty_price ?? line.price) < Number(line.price) ? 'Members’ price at its lowest' : 'At its lowest';
  const shrank = pack === null ? 0 : 100 * (Number(pack[1]) / Number(pack[0]) - 1);
  const badges = [
    !isSold && ['', availabilityWords(availability)],
    shrank < 0 && ['', `Pack −${share(shrank)}`],
    on_promotion && isSold && ['offer', 'On offer'],
    isJudged && [verdict, verdictNumbers(verdict, checked?.[1] ?? null, checked?.[2] ?? null)],
    axis !== null && isLowest(line, axis) && ['low', whose],
  ].filter((badge) => badge !== false);
  return (
    <>
      {brand !== null && <span>{text(brand)}</span>}
      {badges.slice(0, 2).map(([kind = '', words]) => (
        <Badge key={words} kind={kind}>
          {words}
        </Badge>
      ))}
    </>
  );
}

export function availabilityWords(availability: string): string {
  if (availability === 'available') return 'for sale';
  return availability === 'unavailable' ? 'out of stock' : 'gone';
}

/** Whether the price, for anyone, was never lower in a year, and usually is higher. */
function isLowest(line: Line, axis: Axis): boolean {
  const { price, lowest, highest, availability } = line;
  const now = Math.min(Number(price), Number(line.loyalty_price ?? price));
  if (availability !== 'available' || price === null || lowest === null) return false;
  if (now > Number(lowest) || now >= Number(highest)) return false;
  const past = pastOf(pricesOf(line, axis, 3).map(({ from, to, value }) => ({ from, to, shelf: value, paid: value })));
  return past !== null && now < past.usual;
}
