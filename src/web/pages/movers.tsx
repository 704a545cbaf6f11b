import { firstDerived } from '../../questions/certified.ts';
import { nightsCompared, movers as question } from '../../questions/movers.ts';
import { columnsOf } from '../../questions/question.ts';
import { PageRows, sql } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions } from '../category-choice.tsx';
import { dayOf } from '../charts/days.ts';
import { DataTable } from '../data-table.tsx';
import { direction } from '../direction.ts';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
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
  /** The most recent promotion in effect; null: none. */
  readonly promotion: string | null;
  readonly prior_price_check: string | null;
  readonly prior_price_reason: string | null;
}

interface Nights {
  /** First night with derived figures. */
  readonly first: string | null;
  /** Requested date to compare with; `since` is later if the data start later. */
  readonly wanted: string | null;
  readonly since: string | null;
  readonly until: string | null;
}

/** Rows per page, for rises and falls each. */
const rowsOfPage = 25;

export const movers = definePage({
  path: '/movers',
  nav: 'Movers',
  about: 'Price rises and falls between two certified nights. New products and first prices are not counted.',
  parameters: {
    ...question.parameters.shape,
    category: CategoryParameter,
    page: PageNumber,
  },
  queries: (p) => {
    const { since, until, wanted } = nightsCompared(p);
    const categoryKeys = p.category === undefined ? undefined : [p.category];
    const filters = { ...p, category: undefined, categoryKeys };
    return {
      moves: {
        caption: 'Price changes',
        sql: question.sql(filters, { limit: new PageRows(rowsOfPage), offset: (p.page - 1) * rowsOfPage }),
        columns: columnsOf(
          question,
          ...['title', 'brand', 'change_pct', 'change', 'old_price', 'new_price', 'new_unit_price', 'promotion'],
        ),
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
      categories: categoryOptions(p.region, p.category),
    };
  },
  title: ({ region, period }) => `Movers by ${period}, ${region}`,
  empty: ({ nights: { rows } }) =>
    rows[0]!.first === null ? 'There is nothing to compare yet: price changes need two certified nights.' : null,
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
                ` The data begin on ${first}, less than a ${p.period} before, so that night is compared.`}
              {isBefore(since, wanted) &&
                ` The night of ${wanted} is not certified: these are the changes of ${daysBetween(since!, until!)}.`}
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

/** Why two nights cannot be compared; null if they can. */
function nothingToCompare({ first, since, until }: Nights, wanted: string | undefined): string | null {
  if (until === null) return `The data begin on ${first}: there is no night up to ${wanted} to compare.`;
  return since === until
    ? `Only one night up to ${until} is certified: there is no other night to compare it with.`
    : null;
}

/** `£1.20 → £1.30 per kg`: before and after. */
function unitPrices(row: Move): string {
  const after = unitPrice({ ...row, unit_price: row.new_unit_price });
  return row.old_unit_price === null ? after : `${exactMoney(row.old_unit_price, row.currency)} → ${after}`;
}

function daysBetween(since: string, until: string): string {
  const days = dayOf(until) - dayOf(since);
  return days === 1 ? '1 day' : `${days} days`;
}

/** Compares dates in the form `2026-03-01`. */
function isBefore(date: string | null, other: string | null): boolean {
  return date !== null && other !== null && date < other;
}
