import { z } from 'zod';
import { regions } from '../../base/model/index.ts';
import { lastDerived } from '../../questions/certified.ts';
import { RegionParameter, wholeNumber } from '../../questions/parameters.ts';
import { promotions as asked, type orders } from '../../questions/promotions.ts';
import { PageRows } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions, keyElsewhere, productsIn } from '../category-choice.tsx';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { Bar, Columns } from '../charts/spark.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Table, type TablesOf } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Chips, Choice, Field, Filters, Pager } from '../parts.tsx';
import {
  eachOf,
  type Verdict,
  verdictNumbers,
  verdictOf,
  verdictSentence,
  verdicts as verdictWords,
} from '../prior-price.ts';
import { Badge, lineNights, type Night, ProductTable } from '../product-table.tsx';
import { dayAndMonth, longDate, money, number, plural, text } from '../words.ts';
import {
  type CheckedPromotion,
  type Counted,
  calendar,
  checked,
  depths,
  onPromotion,
  reach,
  verdicts,
} from './promotion-queries.ts';

const mostNights = 92;
const rowsOfPage = 30;
/** Of the lists of running offers with one verdict. */
const shortList = { sort: 'deepest', part: { limit: 6 } } as const;

export const promotions = definePage({
  path: '/promotions',
  nav: 'Offers',
  about: 'Offers, their depth, and whether the announced reductions are real.',
  parameters: {
    region: RegionParameter,
    nights: wholeNumber(1, mostNights)
      .default(31)
      .meta({ description: 'Offers that began in this number of days up to the last complete night' }),
    check: z
      .enum(['any', 'fail', 'pass', 'not_enough_nights', 'none'])
      .default('any')
      .meta({ description: 'Verdict on the prior price; none: the offer announces nothing that could be checked' }),
    running: z.enum(['any', 'yes', 'no']).default('any').meta({ description: 'Whether the offer is still running' }),
    category: CategoryParameter,
    sort: asked.parameters.shape.sort,
    page: PageNumber,
  },
  queries: (p) => {
    const last = lastDerived(p.region);
    const which = { region: p.region, last, nights: p.nights, products: productsIn(p.category) };
    return {
      promotions: checked({
        ...which,
        ...{ caption: 'All offers that began', check: given(p.check), running: given(p.running), sort: p.sort },
        part: { limit: new PageRows(rowsOfPage), offset: (p.page - 1) * rowsOfPage },
      }),
      real: checked({ ...which, ...{ caption: 'Real discounts', check: 'pass', running: 'yes', ...shortList } }),
      overstated: checked({
        ...which,
        ...{ caption: 'Overstated', check: 'fail', running: 'yes', ...shortList, sort: 'gap' },
      }),
      verdicts: verdicts(which),
      reach: reach(which),
      depths: depths(which),
      now: onPromotion({ region: p.region, last, category: p.category }),
      calendar: calendar({ region: p.region, category: p.category }),
      categories: categoryOptions([p.region], p.category),
      lines: lineNights(p.region),
    };
  },
  elsewhere: (region, { parameters, tables, hrefWith }) =>
    hrefWith({ region, category: keyElsewhere(tables.categories.rows, parameters.category), page: null }),
  title: ({ region, nights }, { verdicts: { rows }, reach: { rows: reached } }) => {
    if (reached[0]?.begins_on == null) return `Offers in ${regions[region].name}`;
    const counted = tallyOf(rows);
    const failing = counted.overstated + counted['no-reduction'];
    const judged = counted.real + failing;
    if (sum(counted) === 0) return `No offer began in ${plural(nights, 'day')}`;
    if (judged + counted.early === 0) return `${plural(sum(counted), 'offer')}, and nothing to check`;
    // A young book can only find failures: a share of them would mislead.
    if (counted.real === 0 && (judged === 0 || reached[0].is_short === true))
      return `${plural(failing, 'discount')} already known to overstate; ${number(counted.early)} too early to tell`;
    return `Of ${plural(judged, 'discount')} that can be judged, ${number(failing)} promise more than they save`;
  },
  lead: () =>
    'Each is held against the lowest price of the 30 nights before it began. Overstated: it is cheaper, but by less ' +
    'than it says.',
  empty: ({ reach: { rows } }) =>
    rows[0]!.begins_on === null ? 'There are no figures about offers yet: they need complete nights.' : null,
  view: ({ parameters: p, tables, hrefWith }) => (
    <>
      <Chips
        label="Verdict"
        chosen={p.check}
        options={{
          any: 'All',
          pass: 'Real',
          fail: 'Overstated or none',
          not_enough_nights: 'Too early to tell',
          none: 'Nothing to check',
        }}
        href={(check) => hrefWith({ check, page: null })}
      />
      <Filters action="/promotions" keep={{ region: p.region, check: p.check }}>
        <CategoryChoice options={tables.categories.rows} value={p.category} />
        <Field
          name="nights"
          label="Began in the last … days"
          value={p.nights}
          type="number"
          least={1}
          most={mostNights}
        />
        <Choice name="running" label="Still running" value={p.running} options={{ any: 'any', yes: 'yes', no: 'no' }} />
        <Choice name="sort" label="Order" value={p.sort} options={orderNames} />
      </Filters>
      {tables.reach.rows[0]?.is_short === true && (
        <p class="notice">
          The data begin on {longDate(tables.reach.rows[0].begins_on!)}. A verdict of “real” needs the 30 nights before:
          none that began before {longDate(tables.reach.rows[0].pass_from!)} can have it.
        </p>
      )}
      {tables.verdicts.rows.length > 0 && (
        <div class="pair wide-right">
          <Tally of={tallyOf(tables.verdicts.rows)} nights={p.nights} />
          <Weeks of={tables.verdicts.rows} />
        </div>
      )}
      {p.check === 'any' && p.page === 1 && tables.verdicts.rows.length > 0 && <Verdicts tables={tables} />}
      <Card title={tables.promotions.caption} aside={orderNames[p.sort]}>
        <OfferTable of={tables.promotions} nights={tables.lines} />
        <Pager page={p.page} hasMore={tables.promotions.hasMore} hrefWith={hrefWith} />
      </Card>
      <div class={tables.depths.rows.length > 0 ? 'pair' : undefined}>
        {tables.depths.rows.length > 0 && (
          <Card title="How deep they are" aside="announced, below the reference price">
            <DataTable of={tables.depths} cells={{ depth_from: (row) => depthWords(row.depth_from) }} />
            <p class="quiet">
              The reference price is the former price that the text names or, if it names none, the shelf price on the
              first night. In the United Kingdom the check of the prior price has no legal meaning.
            </p>
          </Card>
        )}
        <Card title="By category" aside="on offer on the last complete night">
          <DataTable
            of={tables.now}
            cells={{
              path: (row) => <a href={hrefWith({ category: row.category_key, page: null })}>{text(row.path)}</a>,
            }}
          />
        </Card>
      </div>
      <Calendar tables={tables} />
    </>
  ),
});

/** Running offers that are real, and those that overstate; a list without any is one line. */
function Verdicts({
  tables: { real, overstated, lines },
}: {
  tables: { readonly real: Table<CheckedPromotion>; readonly overstated: Table<CheckedPromotion>; lines: Table<Night> };
}) {
  const lists = [
    { of: real, aside: 'running, largest announced saving first', none: 'No running offer is known to be real.' },
    { of: overstated, aside: 'running, largest difference first', none: 'No running offer is known to overstate.' },
  ];
  const filled = lists.filter(({ of }) => of.rows.length > 0);
  return (
    <>
      {lists.map(
        ({ of, none }) =>
          of.rows.length === 0 && (
            <p key={none} class="quiet">
              {none}
            </p>
          ),
      )}
      {filled.length > 0 && (
        <div class={filled.length > 1 ? 'pair lists' : undefined}>
          {filled.map(({ of, aside }) => (
            <Card key={of.caption} title={of.caption} aside={aside}>
              <OfferTable of={of} nights={lines} />
            </Card>
          ))}
        </div>
      )}
    </>
  );
}

const dealOf = ({ description, shelf_price, currency, prior_price_reason }: CheckedPromotion) =>
  prior_price_reason === 'deal_on_several' ? eachOf(description, shelf_price, currency) : null;

function OfferTable({ of: table, nights }: { of: Table<CheckedPromotion>; nights: Table<Night> }) {
  return (
    <ProductTable
      of={table}
      nights={nights}
      below={(row) => (
        <span>
          {text(row.description)}, {dayAndMonth(row.snapshot_date)} {untilWords(row.ended_on)}.{' '}
          {dealOf(row)?.sentence ?? verdictSentence(row)}
        </span>
      )}
      columns={[
        {
          heading: 'Offer',
          isPrice: true,
          cell: (row) => {
            const verdict = verdictOf(row.verdict_label);
            const deal = dealOf(row);
            return (
              <>
                <span class="price">{money(row.reduced_price ?? row.shelf_price, row.currency)}</span>
                {deal !== null && <small>{money(deal.each.toFixed(2), row.currency)} each of several</small>}
                {row.prior_price !== null && <small>was {money(row.prior_price, row.currency)}</small>}
                <Badge kind={verdict}>{verdictNumbers(verdict, row.stated_percent, row.real_pct)}</Badge>
              </>
            );
          },
        },
      ]}
    />
  );
}

const orderNames: Readonly<Record<keyof typeof orders, string>> = {
  newest: 'newest first',
  deepest: 'largest announced saving first',
  least: 'smallest real saving first',
  gap: 'largest difference from what it says first',
};

const given = <Word extends string>(word: Word) => (word === 'any' ? undefined : (word as Exclude<Word, 'any'>));

type Counts = Record<Verdict, number>;

function tallyOf(rows: readonly Counted[]): Counts {
  const counts: Counts = { real: 0, overstated: 0, 'no-reduction': 0, early: 0, unchecked: 0 };
  for (const { verdict_label, promotions: count } of rows) counts[verdictOf(verdict_label)] += Number(count);
  return counts;
}

const sum = (counts: Counts) => Object.values(counts).reduce((all, count) => all + count, 0);
const fillOf = (verdict: Verdict) => (verdict === 'unchecked' ? 'several' : verdict);

function Tally({ of: counts, nights }: { of: Counts; nights: number }) {
  const all = Math.max(1, sum(counts));
  return (
    <Card title={`Began in ${plural(nights, 'day')}`} aside={plural(sum(counts), 'offer')}>
      <ul class="tally">
        {(Object.keys(verdictWords) as Verdict[]).map((verdict) => (
          <li key={verdict}>
            <span>{verdictWords[verdict].name}</span>
            <b>{number(counts[verdict])}</b>
            <Bar share={counts[verdict] / all} kind={fillOf(verdict)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Offers that began, by week and verdict. */
function Weeks({ of: rows }: { of: readonly Counted[] }) {
  const weeks = [...new Set(rows.map(({ week_starts_on }) => week_starts_on))].sort();
  const kinds = Object.keys(verdictWords) as Verdict[];
  const byWeek = weeks.map((week) => ({
    name: dayAndMonth(week),
    counts: tallyOf(rows.filter(({ week_starts_on }) => week_starts_on === week)),
  }));
  return (
    <Card title="Offers that began, by week" aside="week from">
      <ul class="key">
        {kinds.map((verdict) => (
          <li key={verdict}>
            <svg viewBox="0 0 24 12" aria-hidden="true">
              <rect class={`fill ${fillOf(verdict)}`} width="24" height="12" rx="2" />
            </svg>
            {verdictWords[verdict].name}
          </li>
        ))}
      </ul>
      <Columns
        id="weeks"
        title="Offers that began, by week"
        description={byWeek.map(({ name, counts }) => `${name}: ${plural(sum(counts), 'offer')}`).join(', ')}
        columns={byWeek.map(({ name, counts }) => ({
          name,
          parts: kinds.map((verdict) => ({ kind: fillOf(verdict), value: counts[verdict] })),
        }))}
      />
    </Card>
  );
}

function Calendar({
  tables,
}: {
  tables: TablesOf<{ calendar: ReturnType<typeof calendar>; reach: ReturnType<typeof reach> }>;
}) {
  const { rows } = tables.calendar;
  const days = rows.map((row) => dayOf(row.week_starts_on));
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const weeks =
    rows.length === 0 ? [] : Array.from({ length: (last - first) / 7 + 1 }, (_, i) => dateOf(first + 7 * i));
  const begins = tables.reach.rows[0]?.begins_on ?? null;
  const line = (name: string, column: 'share_on_promotion_pct' | 'share_with_loyalty_price_pct') => ({
    name,
    values: new Map(rows.map((row) => [row.week_starts_on, row[column] === null ? null : Number(row[column])])),
    begins,
  });
  return (
    <Card title="Share of products on offer" aside="of listed product nights, by week">
      {weeks.length > 0 && (
        <PeriodChart
          id="calendar"
          title="Share of time on offer, by week"
          description={`Percent of product nights on offer and for members, ${plural(weeks.length, 'week')}.`}
          periods={weeks}
          end={dateOf(last + 7)}
          series={[
            line('on offer', 'share_on_promotion_pct'),
            line('with a price for members', 'share_with_loyalty_price_pct'),
          ]}
          isShort
          format={(value) => `${Number(value.toFixed(1))}%`}
        />
      )}
      <DataTable of={tables.calendar} isFolded={weeks.length > 0} />
    </Card>
  );
}

function untilWords(date: string | null): string {
  return date === null ? 'until now' : `to ${dayAndMonth(date)}`;
}

function depthWords(from: number | null): string {
  if (from === null) return 'no depth known';
  return from < 0 ? 'above the reference price' : from >= 70 ? '70% and more' : `${from}% to under ${from + 10}%`;
}
