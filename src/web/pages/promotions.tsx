import { z } from 'zod';
import { lastDerived } from '../../questions/certified.ts';
import { RegionParameter, wholeNumber } from '../../questions/parameters.ts';
import { promotions as asked, type orders } from '../../questions/promotions.ts';
import { CategoryChoice, CategoryParameter, categoryOptions, productsIn } from '../category-choice.tsx';
import { dateOf, dayOf } from '../charts/days.ts';
import { LinesChart } from '../charts/lines-chart.tsx';
import { DataTable } from '../data-table.tsx';
import { direction } from '../direction.ts';
import { definePage } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Choice, Field, Pager, productHref } from '../parts.tsx';
import { priorPriceWords, verdict } from '../prior-price.ts';
import { nothing, text } from '../words.ts';
import { calendar, checked, depths, onPromotion, reach, verdicts } from './promotion-queries.ts';

const mostNights = 92;

export const promotions = definePage({
  path: '/promotions',
  nav: 'Promotions',
  about: 'Promotions, their depth, and whether the announced reductions are real.',
  parameters: {
    region: RegionParameter,
    nights: wholeNumber(1, mostNights)
      .default(7)
      .meta({ description: 'Promotions that began in this number of days up to the last certified night' }),
    check: z
      .enum(['any', 'fail', 'pass', 'not_enough_nights', 'none'])
      .default('any')
      .meta({ description: 'Verdict on the prior price; none: the promotion announces nothing that could be checked' }),
    running: z
      .enum(['any', 'yes', 'no'])
      .default('any')
      .meta({ description: 'Whether the promotion is still running' }),
    category: CategoryParameter,
    sort: asked.parameters.shape.sort,
    page: PageNumber,
  },
  queries: (p) => {
    const last = lastDerived(p.region);
    const which = { region: p.region, last, nights: p.nights, products: productsIn(p.category) };
    return {
      promotions: checked({ ...which, ...p, check: given(p.check), running: given(p.running) }),
      verdicts: verdicts(which),
      reach: reach(which),
      depths: depths(which),
      now: onPromotion({ region: p.region, last, category: p.category }),
      calendar: calendar({ region: p.region, category: p.category }),
      categories: categoryOptions(p.region, p.category),
    };
  },
  title: ({ region }) => `Promotions, ${region}`,
  empty: ({ reach: { rows } }) =>
    rows[0]!.begins_on === null ? 'There are no figures about promotions yet: they need certified nights.' : null,
  view: ({ parameters: p, tables, hrefWith }) => {
    const weeks = weeksOf(tables.calendar.rows.map((row) => row.week_starts_on));
    const begins = tables.reach.rows[0]?.begins_on ?? null;
    const share = (column: 'share_on_promotion_pct' | 'share_with_loyalty_price_pct') =>
      new Map(
        tables.calendar.rows.map((row) => [row.week_starts_on, row[column] === null ? null : Number(row[column])]),
      );
    return (
      <>
        <form class="filters" action="/promotions" autocomplete="off">
          <Choice name="region" label="Region" value={p.region} options={{ uk: 'United Kingdom', ie: 'Ireland' }} />
          <CategoryChoice options={tables.categories.rows} value={p.category} />
          <Field
            name="nights"
            label="Began in the last … days (1 to 92)"
            value={p.nights}
            type="number"
            least={1}
            most={mostNights}
          />
          <Choice
            name="check"
            label="Prior price"
            value={p.check}
            options={{
              any: 'any',
              fail: 'fail',
              pass: 'pass',
              not_enough_nights: 'not enough nights',
              none: 'nothing to check',
            }}
          />
          <Choice
            name="running"
            label="Still running"
            value={p.running}
            options={{ any: 'any', yes: 'yes', no: 'no' }}
          />
          <Choice name="sort" label="Order" value={p.sort} options={orderNames} />
          <button type="submit">Show</button>
        </form>
        {tables.reach.rows[0]?.is_short === true && (
          <p class="notice">
            The data begin on {tables.reach.rows[0].begins_on}. A pass needs the 30 nights before a promotion: none that
            began before {tables.reach.rows[0].pass_from} can pass.
          </p>
        )}
        <h2>Now</h2>
        <DataTable
          of={tables.now}
          cells={{ path: (row) => <a href={hrefWith({ category: row.category_key, page: null })}>{text(row.path)}</a> }}
        />
        <h2>Calendar</h2>
        {weeks.length > 0 && (
          <LinesChart
            id="calendar"
            title="Share of time on promotion, by week"
            description={
              'Percent of listed product nights with a promotion in effect and with a price for members, ' +
              `${weeks.length} weeks.`
            }
            periods={weeks}
            end={dateOf(dayOf(weeks.at(-1)!) + 7)}
            series={[
              { name: 'on promotion', values: share('share_on_promotion_pct'), begins },
              { name: 'with a price for members', values: share('share_with_loyalty_price_pct'), begins },
            ]}
            format={(value) => `${value} %`}
          />
        )}
        <DataTable of={tables.calendar} isFolded={weeks.length > 0} />
        <h2>Depth and prior price</h2>
        <p>
          The prior price is the lowest price of the 30 days before. A pass needs all of those nights; a fail is certain
          with fewer. In the United Kingdom this check has no legal meaning.
        </p>
        <DataTable
          of={tables.verdicts}
          cells={{ prior_price_check: (row) => verdict(row.prior_price_check, row.prior_price_reason) }}
        />
        <DataTable of={tables.depths} cells={{ depth_from: (row) => depthWords(row.depth_from) }} />
        <h2>One by one</h2>
        <p>
          The reference price is the former price that the text names or, if it names none, the shelf price on the first
          night. The first percentage is the reduction from the reference price; it can differ from a percentage in the
          text. The second percentage is the reduction from the prior price.
        </p>
        <DataTable
          of={tables.promotions}
          cells={{
            title: (row) => <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>,
            announced_pct: (row) => direction(negative(row.announced_pct)),
            real_pct: (row) => direction(negative(row.real_pct)),
            prior_nights_known: (row) =>
              row.prior_nights_known === null ? nothing : `${row.prior_nights_known} of ${row.prior_nights_needed}`,
            prior_price_check: (row) => priorPriceWords(row),
            ended_on: (row) =>
              row.ended_on ??
              (['available', 'unavailable'].includes(row.availability) ? nothing : 'the product is gone'),
            usual_price_check: (row) => verdict(row.usual_price_check, null),
          }}
        />
        <Pager page={p.page} hasMore={tables.promotions.hasMore} hrefWith={hrefWith} />
      </>
    );
  },
});

const orderNames: Readonly<Record<keyof typeof orders, string>> = {
  newest: 'newest first',
  deepest: 'deepest below the reference price first',
  least: 'least saved on the prior price first',
};

const given = <Word extends string>(word: Word) => (word === 'any' ? undefined : (word as Exclude<Word, 'any'>));

/** A saving as a price change: the percentage with its sign reversed. */
function negative(percent: string | null): number | null {
  return percent === null ? null : -Number(percent);
}

function depthWords(from: number | null): string {
  if (from === null) return 'no depth known';
  return from < 0 ? 'above the reference price' : from >= 70 ? '70 % and more' : `${from} % to under ${from + 10} %`;
}

/** All Mondays from the first to the last, including weeks without data. */
function weeksOf(known: readonly string[]): string[] {
  if (known.length === 0) return [];
  const days = known.map(dayOf);
  const first = Math.min(...days);
  return Array.from({ length: (Math.max(...days) - first) / 7 + 1 }, (_, i) => dateOf(first + 7 * i));
}
