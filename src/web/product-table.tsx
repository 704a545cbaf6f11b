import type { ComponentChildren, JSX } from 'preact';
import type { RegionCode } from '../base/model/index.ts';
import { nightsOfLines, type ProductLine } from '../questions/product-line.ts';
import { Change } from './change.tsx';
import { type Span, spansOf } from './charts/days.ts';
import { Spark } from './charts/spark.tsx';
import { type Axis, axisOf, chartNights, segmentsOf } from './charts/steps.ts';
import { Ways } from './data-table.tsx';
import { Thumb } from './icons.tsx';
import type { Query, Table } from './page.ts';
import { productHref } from './parts.tsx';
import { pastOf } from './past-prices.ts';
import { verdictNumbers, verdictOf } from './prior-price.ts';
import { Scroll } from './scroll.tsx';
import { exactMoney, money, nothing, plural, share, text, unitName } from './words.ts';

export interface Night {
  readonly snapshot_date: string;
}

/** Certified nights of the small charts of a page. */
export const lineNights = (region: RegionCode): Query<Night> => ({
  caption: 'Complete nights of the small charts',
  sql: nightsOfLines(region),
  columns: [{ name: 'snapshot_date', heading: 'Night', as: 'date' }],
  none: 'There is no complete night yet.',
});

/** A column after the product. */
interface ListColumn<Row> {
  readonly heading: string;
  /** Address that sorts by the column, and its direction if it does now. */
  readonly sort?: { readonly href: string; readonly now?: 'ascending' | 'descending' | undefined };
  readonly isPrice?: boolean;
  /** Whether a phone, which has no headings, shows the heading in the cell. */
  readonly isNamed?: boolean;
  cell(row: Row): ComponentChildren;
}

/** Form around the rows. */
export interface RowForm {
  readonly action: string;
  /** Parameters that the form keeps. */
  readonly keep: Readonly<Record<string, string | undefined>>;
  /** Label of the button. */
  readonly label: string;
  /** Whether rows can be ticked; each ticked one is a parameter `p`. */
  readonly hasTicks: boolean;
  /** Whether a row comes ticked; by default none does. */
  isTicked?(row: ProductLine): boolean;
}

interface ProductTableProps<Row> {
  readonly of: Table<Row>;
  readonly nights: Table<Night>;
  readonly columns: readonly ListColumn<Row>[];
  /** Text beside the brand; by default badges. */
  readonly below?: ((row: Row) => ComponentChildren) | undefined;
  /** Sign of the small chart's colour; by default that of the change in 30 nights. */
  readonly sign?: ((row: Row) => number) | undefined;
  /** What the small chart draws instead of the shelf price and its offers: `[[from, to, value], …]` as JSON. */
  readonly drawn?: ((row: Row) => string) | undefined;
  /** By default the ticked rows can be compared or put into a basket; null: no form. */
  readonly form?: RowForm | null;
}

/** Products in a list: picture, name, small chart, and columns of the page. */
export function ProductTable<Row extends ProductLine>(props: ProductTableProps<Row>): JSX.Element {
  const { of: table, nights, columns, below, sign, drawn, form } = props;
  const { rows, caption } = table;
  const shown = chartNights(nights.rows.map(({ snapshot_date }) => snapshot_date));
  const axis = shown && axisOf(shown);
  if (rows.length === 0) {
    return (
      <div class="table">
        <p class="none">{table.none ?? 'No products match.'}</p>
        <Ways table={table} />
      </div>
    );
  }
  const body = (
    <Scroll label={caption}>
      <table class="products">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" class="line-cell">
              {plural(nights.rows.length, 'night')}
            </th>
            {columns.map(({ heading, sort }) => (
              <th key={heading} scope="col" class="number" aria-sort={sort?.now}>
                {sort ? <a href={sort.href}>{heading}</a> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              <th scope="row" class="item-cell">
                <div class="item">
                  <Thumb department={row.department} />
                  <div>
                    <a class="name" href={productHref(row.region, row.product_id)}>
                      {text(row.title)}
                    </a>
                    <div class="sub">{below ? below(row) : <Badges of={row} axis={axis} />}</div>
                  </div>
                  {/* After the name, which the keyboard reaches first. */}
                  {(form === undefined || form?.hasTicks) && (
                    <input
                      type="checkbox"
                      name="p"
                      value={`${row.region}:${row.product_id}`}
                      checked={form?.isTicked?.(row)}
                      aria-label={`Tick ${text(row.title)}`}
                    />
                  )}
                </div>
              </th>
              <td class="line-cell">
                {axis && (
                  <Line
                    of={drawn ? { history: drawn(row), offers: null } : row}
                    axis={axis}
                    sign={sign?.(row) ?? Number(row.change_30_pct)}
                  />
                )}
              </td>
              {columns.map(({ heading, cell, isPrice = false, isNamed = false }) => (
                <td
                  key={heading}
                  class={isPrice ? 'number price-cell' : 'number'}
                  data-name={isNamed ? heading : undefined}
                >
                  {cell(row)}
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
      {form === null ? (
        body
      ) : (
        <Form of={form ?? null} region={rows[0]!.region}>
          {body}
        </Form>
      )}
      {axis && !drawn && (
        <p class="quiet">
          {sign === undefined && 'Line: shelf price, red if dearer and green if cheaper than 30 nights ago. '}
          {rows.some(({ offers }) => offersOf(offers, axis).length > 0) && 'Yellow: on offer.'}
        </p>
      )}
      <Ways table={table} />
    </div>
  );
}

/** Certified nights with an offer; where two overlap, they are one span. */
function offersOf(offers: string | null, axis: Axis): Span[] {
  const nights = (JSON.parse(offers ?? '[]') as [string, string | null][]).map(([from, to]) => ({
    from,
    to,
    value: 1,
  }));
  const spans = segmentsOf(nights, axis);
  return spansOf(axis.from, axis.to, (day) => spans.some(({ from, to }) => from <= day && day < to));
}

function Form(props: { of: RowForm | null; region: RegionCode; children: ComponentChildren }) {
  const { of: form, region, children } = props;
  const keep = form?.keep ?? { region };
  return (
    <form action={form?.action ?? '/compare'}>
      {Object.entries(keep).map(
        ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {/* Enter in a tick box would press the first button. */}
      <input type="submit" disabled hidden />
      {children}
      <p class={form === null ? 'ticked rows' : 'ticked'}>
        {form === null ? (
          <>
            <span>With those ticked:</span>
            <button type="submit">Compare</button>
            <button type="submit" formaction="/basket">
              Basket
            </button>
          </>
        ) : (
          <button type="submit">{form.label}</button>
        )}
      </p>
    </form>
  );
}

/** What was drawn or paid on the nights of the small chart that are known. */
function valuesOf({ history }: Pick<ProductLine, 'history'>, axis: Axis, of: 'drawn' | 'paid') {
  const spells = JSON.parse(history ?? '[]') as [string, string | null, number | null, number | null][];
  return segmentsOf(
    spells.map(([from, to, drawn, paid]) => ({ from, to, value: of === 'drawn' ? drawn : paid })),
    axis,
  );
}

/** Small chart of the shelf price; nights with an offer are marked. Gaps stay empty. */
function Line({ of: row, axis, sign }: { of: Pick<ProductLine, 'history' | 'offers'>; axis: Axis; sign: number }) {
  return <Spark axis={axis} segments={valuesOf(row, axis, 'drawn')} bands={offersOf(row.offers, axis)} change={sign} />;
}

/** Brand and at most two badges. */
function Badges({ of: row, axis }: { of: ProductLine; axis: Axis | null }) {
  const nights = axis && nightsOfLowest(row, axis);
  const verdict = verdictOf(row.offer_verdict);
  const badges = [
    ...(row.availability === 'available' ? [] : [<Badge key="out">{availabilityWords(row.availability)}</Badge>]),
    ...(Number(row.pack_change_pct ?? 0) < 0 ? [<Badge key="pack">Pack −{share(row.pack_change_pct)}</Badge>] : []),
    ...(row.on_promotion
      ? [
          <Badge key="offer" kind="offer">
            On offer
          </Badge>,
        ]
      : []),
    ...(verdict === 'unchecked' || verdict === 'early'
      ? []
      : [
          <Badge key="verdict" kind={verdict}>
            {verdictNumbers(verdict, row.offer_stated_percent, row.offer_real_pct)}
          </Badge>,
        ]),
    ...(nights
      ? [
          <Badge key="low" kind="low">
            {isOfMembers(row) ? 'Members’ price lowest' : 'Lowest'} in {plural(nights, 'night')}
          </Badge>,
        ]
      : []),
  ];
  return (
    <>
      {row.brand !== null && <span>{text(row.brand)}</span>}
      {badges.slice(0, 2)}
    </>
  );
}

export function Badge({ kind, children }: { kind?: string; children: ComponentChildren }) {
  return <span class={kind === undefined ? 'badge' : `badge ${kind}`}>{children}</span>;
}

/** Whether the price, for anyone, is the lowest of the last year and was higher before. */
export function isLowest(
  row: Pick<ProductLine, 'price' | 'loyalty_price' | 'lowest_price' | 'highest_price'>,
): boolean {
  if (row.price === null || row.lowest_price === null) return false;
  const now = leastPaid(row);
  return now <= Number(row.lowest_price) && now < Number(row.highest_price);
}

const leastPaid = ({ price, loyalty_price }: Pick<ProductLine, 'price' | 'loyalty_price'>) =>
  Math.min(Number(price), Number(loyalty_price ?? price));

/** Nights of which the price, for anyone, is the lowest; null: it is the usual one, was lower, or nothing is sold. */
function nightsOfLowest(row: ProductLine, axis: Axis): number | null {
  const past = pastOf(
    valuesOf(row, axis, 'paid').map(({ from, to, value }) => ({ from, to, shelf: value, paid: value })),
  );
  return past !== null && row.availability === 'available' && isLowest(row) && leastPaid(row) < past.usual
    ? past.nights
    : null;
}

const isOfMembers = ({ price, loyalty_price }: ProductLine) =>
  loyalty_price !== null && Number(loyalty_price) < Number(price);

export function availabilityWords(availability: string): string {
  if (availability === 'available') return 'for sale';
  return availability === 'unavailable' ? 'out of stock' : 'gone';
}

/** Shelf price, and the price for members below it. */
export function PriceCell({ of: row }: { of: Pick<ProductLine, 'price' | 'loyalty_price' | 'currency'> }) {
  return (
    <>
      <span class="price">{money(row.price, row.currency)}</span>
      {row.loyalty_price !== null && <Badge kind="offer">{money(row.loyalty_price, row.currency)} members</Badge>}
    </>
  );
}

/** `£1.20 / kg`. */
export function unitPrice(row: Pick<ProductLine, 'unit_price' | 'unit_of_measure' | 'currency'>): string {
  if (row.unit_price === null) return nothing;
  return `${exactMoney(row.unit_price, row.currency)} / ${unitName(row.unit_of_measure)}`;
}

/** What members pay for a unit; null: as much as others, or unknown. */
export function membersUnitPrice(row: Pick<ProductLine, 'price' | 'loyalty_price' | 'unit_price'>): number | null {
  const { price, loyalty_price: members, unit_price: unit } = row;
  if (unit === null || members === null || !(Number(members) < Number(price))) return null;
  return (Number(unit) * Number(members)) / Number(price);
}

/** Price per unit, and that for members below it. */
export function unitPrices(row: ProductLine): JSX.Element {
  const members = membersUnitPrice(row);
  return (
    <>
      {unitPrice(row)}
      {members !== null && <small>{money(members.toFixed(2), row.currency)} members</small>}
    </>
  );
}

/** The price after a change, the one before it, and what members pay now if that is less. */
export function PriceChange({
  of: row,
}: {
  of: ProductLine & { readonly old_price: string; readonly new_price: string };
}) {
  const { old_price: from, new_price: to, loyalty_price: members, currency } = row;
  // From the prices, because a change of two decimals would be rounded twice.
  const percent = (100 * (Number(to) - Number(from))) / Number(from);
  return (
    <>
      <span class="price">
        {money(to, currency)} <Change percent={percent} />
      </span>
      <small>was {money(from, currency)}</small>
      {members !== null && Number(members) < Number(to) && (
        <Badge kind="offer">{money(members, currency)} members now</Badge>
      )}
    </>
  );
}
