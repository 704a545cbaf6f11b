import { firstDerived } from '../../questions/certified.ts';
import { movedPrices, nightsCompared, movers as question } from '../../questions/movers.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { PageRows, type Sql, sql } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions, keyElsewhere } from '../category-choice.tsx';
import { dayOf } from '../charts/days.ts';
import { Columns } from '../charts/spark.tsx';
import { definePage, type Query, type Table } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Chips, Choice, Field, Filters, Pager } from '../parts.tsx';
import { lineNights, PriceChange, ProductTable } from '../product-table.tsx';
import { exactMoney, longDate, number, plural, text } from '../words.ts';

interface Move extends ProductLine {
  readonly old_price: string;
  readonly new_price: string;
  readonly old_unit_price: string | null;
  readonly new_unit_price: string | null;
  readonly change: string;
  /** Units of its unit price in a pack on both nights. */
  readonly old_content: string | null;
  readonly new_content: string | null;
}

interface Nights {
  /** First night with derived figures. */
  readonly first: string | null;
  /** Requested date to compare with; `since` is later if the data start later. */
  readonly wanted: string | null;
  readonly since: string | null;
  readonly until: string | null;
}

interface Step {
  /** From −4 (fell by 20% or more) to 4. */
  readonly step: number;
  readonly products: string;
}

/** Rows per page, for rises and falls each. */
const rowsOfPage = 12;
/** Names of the steps of the spread, from falls to rises. */
const steps: readonly (readonly [number, string])[] = [
  ...([
    [-4, '≤ −20%'],
    [-3, '−10 to −20%'],
    [-2, '−5 to −10%'],
    [-1, 'to −5%'],
  ] as const),
  ...([
    [1, 'to +5%'],
    [2, '+5 to +10%'],
    [3, '+10 to +20%'],
    [4, '≥ +20%'],
  ] as const),
];

export const movers = definePage({
  path: '/movers',
  nav: 'Movers',
  about: 'Price rises and falls between two complete nights. New products and first prices are not counted.',
  parameters: {
    ...question.parameters.shape,
    category: CategoryParameter,
    page: PageNumber,
  },
  queries: (p) => {
    const { since, until, wanted } = nightsCompared(p);
    const categoryKeys = p.category === undefined ? undefined : [p.category];
    const filters = { ...p, category: undefined, categoryKeys };
    const part = { limit: new PageRows(rowsOfPage), offset: (p.page - 1) * rowsOfPage };
    return {
      moves: {
        caption: 'Price changes',
        sql: withLine(
          sql`
          select
            move.product_key, move.old_price, move.new_price, move.change, move.change_pct, move.old_unit_price,
            move.new_unit_price, ${contentOn(since)} as old_content, ${contentOn(until)} as new_content
          from (${question.sql(filters, part)}) as move`,
          p.region,
          p.basis,
        ),
        columns: lineColumns,
        none: 'No price changed that way between the two nights.',
        partOf: ({ change }) => (Number(change) > 0 ? 'dearer' : 'cheaper'),
      } as Query<Move>,
      nights: {
        caption: 'Nights compared',
        sql: sql`select ${firstDerived(p.region)} as first, ${wanted} as wanted, ${since} as since, ${until} as until`,
        columns: [
          { name: 'since', heading: 'Before', as: 'date' },
          { name: 'until', heading: 'After', as: 'date' },
        ],
      } as Query<Nights>,
      spread: {
        caption: 'How large the changes are',
        sql: sql`
          select
            sign(move.new_minor - move.old_minor)::int * width_bucket(
              100 * abs(move.new_minor - move.old_minor)::float8 / move.old_minor, array[0, 5, 10, 20]::float8[]
            ) as step, count(*) as products
          from ${movedPrices(filters)} as move
          group by step
          order by step`,
        columns: [
          { name: 'step', heading: 'Step' },
          { name: 'products', heading: 'Products', as: 'number' },
        ],
        none: 'No price changed.',
      } as Query<Step>,
      categories: categoryOptions([p.region], p.category),
      lines: lineNights(p.region),
    };
  },
  elsewhere: (region, { parameters, tables, hrefWith }) =>
    hrefWith({ region, category: keyElsewhere(tables.categories.rows, parameters.category), page: null }),
  title: ({ period, basis, words }, { spread: { rows }, nights }) => {
    const span = spanOf(nights.rows[0]!, period);
    if (span === null) return 'No two nights to compare yet';
    const count = (sign: number) =>
      rows.filter(({ step }) => Number(step) * sign > 0).reduce((sum, { products }) => sum + Number(products), 0);
    const named = words === undefined ? 'product' : `product with “${text(words)}”`;
    const who = basis === 'member' ? ' for members' : '';
    return `${plural(count(1), named, named.replace('product', 'products'))} became dearer${who} ${span}, ${number(
      count(-1),
    )} cheaper`;
  },
  lead: ({ basis }, { nights: { rows } }) => {
    const { since, until } = rows[0]!;
    if (since === null || until === null) return '';
    const nights = `of ${longDate(until)} against ${longDate(since)}`;
    return basis === 'member'
      ? `What members pay: prices ${nights}. Without a price for members, that of the shelf counts.`
      : `Shelf prices ${nights}.`;
  },
  empty: ({ nights: { rows } }) =>
    rows[0]!.first === null ? 'There is nothing to compare yet: price changes need two complete nights.' : null,
  view: ({ parameters: p, tables: { moves, nights, spread, categories, lines }, hrefWith }) => {
    const refusal = nothingToCompare(nights.rows[0]!, p.until);
    const remark = remarkOf(nights.rows[0]!, p.period);
    const rises = { ...moves, caption: 'Dearer', rows: moves.rows.filter(({ change }) => Number(change) > 0) };
    const falls = { ...moves, caption: 'Cheaper', rows: moves.rows.filter(({ change }) => Number(change) < 0) };
    return (
      <>
        <Chips
          label="Period"
          chosen={p.period}
          options={{ night: 'Last night', week: 'A week', month: 'A month' }}
          href={(period) => hrefWith({ period, page: null })}
        />
        <Chips
          label="Prices"
          chosen={p.basis}
          options={{ shelf: 'Shelf prices', member: 'What members pay' }}
          href={(basis) => hrefWith({ basis, page: null })}
        />
        <Filters action="/movers" keep={{ region: p.region, period: p.period, basis: p.basis }}>
          <CategoryChoice options={categories.rows} value={p.category} />
          <Field name="words" label="Title or brand" value={p.words} type="search" />
          <Choice
            name="direction"
            label="Show"
            value={p.direction}
            options={{ both: 'both', rises: 'dearer', falls: 'cheaper' }}
          />
          <Choice name="by" label="Largest by" value={p.by} options={{ percent: 'percent', amount: 'amount' }} />
          <Field name="until" label="Up to" value={p.until} type="date" />
          <Field name="price_from" label="Price before, from" value={p.price_from} type="number" />
        </Filters>
        {refusal !== null ? (
          <p class="empty">{refusal}</p>
        ) : (
          <>
            {remark !== '' && <p class="notice">{remark}</p>}
            <Spread of={spread} basis={p.basis} />
            <div class={p.direction === 'both' ? 'pair' : undefined}>
              {p.direction !== 'falls' && <Moves of={rises} lines={lines} sign={1} />}
              {p.direction !== 'rises' && <Moves of={falls} lines={lines} sign={-1} />}
            </div>
            <Pager page={p.page} hasMore={moves.hasMore} hrefWith={hrefWith} />
          </>
        )}
      </>
    );
  },
});

function Moves({ of: table, lines, sign }: { of: Table<Move>; lines: Table<{ snapshot_date: string }>; sign: number }) {
  return (
    <Card title={table.caption} aside="largest first">
      <ProductTable
        of={table}
        nights={lines}
        sign={() => sign}
        columns={[
          {
            heading: 'Price',
            isPrice: true,
            cell: (row) => (
              <>
                <PriceChange of={row} />
                <small>{unitPrices(row)}</small>
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Spread({ of: spread, basis }: { of: Table<Step>; basis: 'shelf' | 'member' }) {
  const known = new Map(spread.rows.map(({ step, products }) => [Number(step), Number(products)]));
  if (known.size === 0) return null;
  return (
    <Card
      title="How large the changes are"
      aside={`products by change of ${basis === 'shelf' ? 'the shelf price' : 'what members pay'}`}
    >
      <Columns
        id="spread"
        title="How large the changes are"
        description={steps.map(([step, name]) => `${name}: ${plural(known.get(step) ?? 0, 'product')}`).join(', ')}
        columns={steps.map(([step, name]) => ({
          name,
          parts: [{ kind: step > 0 ? 'up' : 'down', value: known.get(step) ?? 0 }],
        }))}
      />
    </Card>
  );
}

/** Time between the nights compared, in words; null: there are no two nights. */
function spanOf({ wanted, since, until }: Nights, period: string): string | null {
  if (since === null || until === null || since === until) return null;
  const days = dayOf(until) - dayOf(since);
  if (days === 1) return 'since the night before';
  return since === wanted ? `in a ${period}` : `in ${plural(days, 'night')}`;
}

/** Why two nights cannot be compared; null if they can. */
function nothingToCompare({ first, since, until }: Nights, wanted: string | undefined): string | null {
  if (until === null)
    return `The data begin on ${longDate(first!)}: there is no night up to ${longDate(wanted!)} to compare.`;
  return since === until
    ? `Only one night up to ${longDate(until)} is complete: there is no other night to compare it with.`
    : null;
}

/** Why other nights are compared than the ones that were asked for. */
function remarkOf({ first, wanted, since, until }: Nights, period: string): string {
  if (isBefore(wanted, first))
    return `The data begin on ${longDate(first!)}, less than a ${period} before, so that night is compared.`;
  if (!isBefore(since, wanted)) return '';
  const days = dayOf(until!) - dayOf(since!);
  return `The night of ${longDate(wanted!)} is not complete: these are the changes of ${plural(days, 'day')}.`;
}

/** Content of a pack on a night in kilograms, litres or pieces. */
const contentOn = (night: Sql) => sql`(
              select size.pack_size / case size.pack_measure when 'each' then 1 else 1000 end
              from marts.fct_pack_size_spell size
              where size.product_key = move.product_key and size.valid_from <= ${night}
                and (size.valid_to is null or size.valid_to > ${night}))`;

/** `£1.20 → £1.30 / kg`: before and after, with the digits that a small price needs. */
function unitPrices({ unit_of_measure, currency, ...row }: Move): string {
  if (row.new_unit_price === null) return '';
  const per = ` / ${text(unit_of_measure ?? 'unit')}`;
  const now = perContent(row.new_price, row.new_content, row.new_unit_price);
  const before = row.old_unit_price === null ? now : perContent(row.old_price, row.old_content, row.old_unit_price);
  const isExact = (digits: number) => 0.5 / 10 ** digits <= 0.01 * Math.min(before, now);
  const decimals = [2, 3, 4].find((digits) => isExact(digits) && before.toFixed(digits) !== now.toFixed(digits)) ?? 4;
  const written = (amount: number) => exactMoney(amount.toFixed(decimals), currency);
  return before === now
    ? `${exactMoney(row.new_unit_price, currency)}${per}`
    : `${written(before)} → ${written(now)}${per}`;
}

/** The unit price from price and content: the listed one may be rounded to a penny. It holds where they disagree. */
function perContent(price: string, content: string | null, listed: string): number {
  const exact = Number(price) / Number(content);
  return Math.abs(exact - Number(listed)) <= 0.00501 ? exact : Number(listed);
}

/** Compares dates in the form `2026-03-01`. */
function isBefore(date: string | null, other: string | null): boolean {
  return date !== null && other !== null && date < other;
}
