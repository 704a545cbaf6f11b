import { z } from 'zod';
import type { RegionCode } from '../../model/index.ts';
import { firstDerived, lastDerived } from '../../questions/certified.ts';
import { amount, DateParameter, Words } from '../../questions/parameters.ts';
import { allOf, PageRows, type Sql, sql } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions } from '../category-choice.tsx';
import { dayOf } from '../charts/days.ts';
import { DataTable } from '../data-table.tsx';
import { direction } from '../direction.ts';
import { definePage, type Query } from '../page.ts';
import { PageNumber, RegionParameter } from '../parameters.ts';
import { Choice, Field, Pager, productHref, unitPrice } from '../parts.tsx';
import { verdict } from '../prior-price.ts';
import { exactMoney, nothing, text } from '../words.ts';

interface Move {
  readonly region: string;
  readonly product_id: string;
  readonly title: string;
  readonly old_unit_price: string | null;
  readonly new_unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly currency: string;
  readonly change: string;
  readonly change_pct: string | null;
  /** The last that began of those in effect; null: none. */
  readonly promotion: string | null;
  readonly prior_price_check: string | null;
  readonly prior_price_reason: string | null;
}

interface Nights {
  /** The first night of the book. */
  readonly first: string | null;
  /** The date that was to be compared with; `since` is later where the book begins later. */
  readonly wanted: string | null;
  readonly since: string | null;
  readonly until: string | null;
}

/** Of each direction on a page. */
const rowsOfPage = 25;

/** How far the night lies back with which the last one is compared. */
const spans = {
  night: sql`interval '1 day'`,
  week: sql`interval '7 days'`,
  month: sql`interval '1 month'`,
} as const;

export const movers = definePage({
  path: '/movers',
  nav: 'Movers',
  about:
    'What became dearer or cheaper between two certified nights. New products, and those that had no price before, are no price moves.',
  parameters: {
    region: RegionParameter,
    period: z.enum(['night', 'week', 'month']).default('night').meta({ description: 'How far back to compare' }),
    until: DateParameter.optional().meta({ description: 'Compare the last certified night up to this date' }),
    direction: z.enum(['both', 'rises', 'falls']).default('both'),
    by: z.enum(['percent', 'amount']).default('percent').meta({ description: 'What makes a move big' }),
    category: CategoryParameter,
    words: Words,
    price_from: amount().meta({ description: 'Price before, at least' }),
    page: PageNumber,
  },
  queries: (p) => {
    const until = lastDerived(p.region, p.until);
    const before = sql`(${until} - ${spans[p.period]})::date`;
    const since = sql`coalesce(${lastDerived(p.region, before)}, ${firstDerived(p.region)})`;
    return {
      moves: {
        caption: 'Moves of the price',
        sql: sql`
          select
            ${p.region} as region, move.product_id, move.title, move.brand, move.old_price, move.new_price, move.change,
            move.change_pct, move.old_unit_price, move.new_unit_price, move.unit_of_measure, move.currency,
            ${since} as since, ${until} as until, offer.promotion, offer.prior_price_check, offer.prior_price_reason
          from marts.largest_price_moves(
            ${p.region}, ${since}, ${until}, by => ${p.by}, direction => ${p.direction},
            places => ${new PageRows(rowsOfPage)}, skipped => ${(p.page - 1) * rowsOfPage},
            product_keys => ${keysOf(p, { since, until })}, price_from => ${p.price_from ?? null}::numeric) as move
          -- What is in effect on the later night, and whether it is a reduction.
          left join lateral (
            select c.description as promotion, c.prior_price_check, c.prior_price_reason
            from marts.fct_promotion_check c
            where c.product_key = move.product_key and c.snapshot_date <= ${until} and (c.ended_on is null or c.ended_on > ${until})
            order by c.snapshot_date desc, c.promotion_key
            limit 1
          ) as offer on true
          order by move.new_price > move.old_price desc, move.place`,
        columns: [
          { name: 'title', heading: 'Product', as: 'sentence' },
          { name: 'brand', heading: 'Brand' },
          { name: 'change_pct', heading: 'Change', as: 'percent' },
          { name: 'change', heading: 'Amount', as: 'money' },
          { name: 'old_price', heading: 'Before', as: 'money' },
          { name: 'new_price', heading: 'After', as: 'money' },
          { name: 'new_unit_price', heading: 'Per unit, before and after', as: 'money' },
          { name: 'promotion', heading: 'On promotion: a reduction?', as: 'sentence' },
        ],
        none: 'Nothing moved that way between the two nights.',
        partOf: ({ change }) => (Number(change) > 0 ? 'dearer' : 'cheaper'),
      } as Query<Move>,
      nights: {
        caption: 'The nights that are compared',
        sql: sql`select ${firstDerived(p.region)} as first, ${before} as wanted, ${since} as since, ${until} as until`,
        columns: [
          { name: 'since', heading: 'Before', as: 'date' },
          { name: 'until', heading: 'After', as: 'date' },
        ],
      } as Query<Nights>,
      categories: categoryOptions(p.region, p.category),
    };
  },
  title: ({ region, period }) => `Movers by ${period}, ${region}`,
  empty: ({ nights: { rows } }) =>
    rows[0]!.first === null ? 'There is nothing to compare yet: price moves follow from certified nights.' : null,
  view: ({ parameters: p, tables: { moves, nights, categories }, hrefWith }) => {
    const { first, wanted, since, until } = nights.rows[0]!;
    const refusal = nothingToCompare(nights.rows[0]!, p.until);
    const rises = moves.rows.filter(({ change }) => Number(change) > 0);
    const falls = moves.rows.filter(({ change }) => Number(change) < 0);
    const parts = [
      ...(p.direction === 'falls' ? [] : [{ ...moves, caption: 'Became dearer', rows: rises }]),
      ...(p.direction === 'rises' ? [] : [{ ...moves, caption: 'Became cheaper', rows: falls }]),
    ];
    return (
      <>
        <form class="filters" action="/movers" autocomplete="off">
          <Choice name="region" label="Region" value={p.region} options={{ uk: 'United Kingdom', ie: 'Ireland' }} />
          <Choice
            name="period"
            label="Against"
            value={p.period}
            options={{ night: 'the night before', week: 'a week before', month: 'a month before' }}
          />
          <Field name="until" label="Up to" value={p.until} type="date" />
          <Choice
            name="direction"
            label="Show"
            value={p.direction}
            options={{ both: 'both', rises: 'dearer', falls: 'cheaper' }}
          />
          <Choice name="by" label="Largest by" value={p.by} options={{ percent: 'percent', amount: 'amount' }} />
          <CategoryChoice options={categories.rows} value={p.category} />
          <Field name="words" label="Title or brand" value={p.words} type="search" />
          <Field name="price_from" label="Price before, from" value={p.price_from} type="number" />
          <button type="submit">Show</button>
        </form>
        {refusal !== null ? (
          <p class="empty">{refusal}</p>
        ) : (
          <>
            <p>
              Ordinary prices of the certified night of <strong>{until}</strong> against those of{' '}
              <strong>{since}</strong>.
              {isBefore(wanted, first) &&
                ` The book begins on ${first}, less than a ${p.period} before; compared with that night.`}
              {isBefore(since, wanted) &&
                ` No night of ${wanted} is certified: these are the moves of ${dayOf(until!) - dayOf(since!)} days.`}
            </p>
            {parts.map((part) => (
              <DataTable
                key={part.caption}
                of={part}
                cells={{
                  title: (row) => <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>,
                  change_pct: (row) => direction(row.change_pct),
                  promotion: (row) =>
                    row.promotion === null
                      ? nothing
                      : `${text(row.promotion)}: ${verdict(row.prior_price_check, row.prior_price_reason)}`,
                  new_unit_price: (row) => unitPrices(row),
                }}
              />
            ))}
            <Pager page={p.page} hasMore={moves.hasMore} hrefWith={hrefWith} />
          </>
        )}
      </>
    );
  },
});

/** Why two nights cannot be compared; null where they can. */
function nothingToCompare({ first, since, until }: Nights, wanted: string | undefined): string | null {
  if (until === null) return `The book begins on ${first}: there is no night up to ${wanted} to compare.`;
  return since === until ? `Only one night is certified up to ${until}: there is nothing to compare it with.` : null;
}

/** `£1.20 → £1.30 per kg`: before and after. */
function unitPrices(row: Move): string {
  const after = unitPrice({ ...row, unit_price: row.new_unit_price });
  return row.old_unit_price === null ? after : `${exactMoney(row.old_unit_price, row.currency)} → ${after}`;
}

/** Both dates as `2026-03-01`. */
function isBefore(date: string | null, other: string | null): boolean {
  return date !== null && other !== null && date < other;
}

/** The products that are left by the filters, in the category on both nights as figures of categories count them; null: all. */
function keysOf(
  p: { readonly region: RegionCode; readonly category?: number | undefined; readonly words?: string | undefined },
  { since, until }: { readonly since: Sql; readonly until: Sql },
): Sql {
  const { region, category, words } = p;
  if (category === undefined && words === undefined) return sql`null`;
  const found =
    words !== undefined && sql`product_key in (select f.product_key from marts.find_products(${region}, ${words}) f)`;
  return category === undefined
    ? sql`array(select f.product_key from marts.find_products(${region}, ${words}) f)`
    : sql`array(select product_key from marts.products_in_category(${category}, ${until}, ${since}) where ${allOf(found)})`;
}
