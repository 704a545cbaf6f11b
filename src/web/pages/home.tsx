import type { ComponentChildren } from 'preact';
import { nightsIn, type RegionCode, regionCodes, regions } from '../../base/model/index.ts';
import { lastCertified, lastDerived } from '../../questions/certified.ts';
import { movers } from '../../questions/movers.ts';
import { packChanges } from '../../questions/pack-changes.ts';
import { RegionParameter } from '../../questions/parameters.ts';
import { indexValuesOf } from '../../questions/price-index.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { promotions } from '../../questions/promotions.ts';
import { sql } from '../../questions/sql.ts';
import { Change } from '../change.tsx';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { Find } from '../layout.tsx';
import { definePage, type Query, type Table } from '../page.ts';
import { Card } from '../parts.tsx';
import { comparedNight, verdictNumbers, verdictOf } from '../prior-price.ts';
import { Badge, lineNights, type Night, PriceChange, ProductTable } from '../product-table.tsx';
import { dayAndMonth, money, number, percent, plural, text } from '../words.ts';
import { packSize } from './pack-words.ts';

interface Move extends ProductLine {
  readonly old_price: string;
  readonly new_price: string;
}

interface Offer extends ProductLine {
  readonly description: string;
  readonly compared_price: string | null;
  readonly compared_on: string | null;
  readonly prior_price: string | null;
  readonly verdict_label: string | null;
  readonly stated_percent: string | null;
  readonly real_pct: string | null;
}

interface Pack extends ProductLine {
  readonly old_size: string;
  readonly new_size: string;
  readonly unit: string;
  readonly unit_price_effect_pct: string | null;
}

interface IndexNight {
  readonly region: RegionCode;
  readonly period_start: string;
  readonly value: string | null;
}

interface Counts {
  readonly products_listed: number;
  readonly price_increases: number | null;
  readonly price_decreases: number | null;
  readonly real: string | null;
  readonly overstated: string | null;
  readonly shrunk: string;
  /** Whether figures of a newer night are still to be derived. */
  readonly is_behind: boolean;
}

const rowsOfCard = 5;
const nightsOfIndex = 92;

export const home = definePage({
  path: '/',
  nav: 'Home',
  about: 'The price index, what moved last night, and which offers of this week are real.',
  parameters: { region: RegionParameter },
  queries: ({ region }) => {
    const last = lastDerived(region);
    const moves = (direction: 'rises' | 'falls') => sql`
          select move.product_key, move.old_price, move.new_price
          from (${movers.sql(
            { region, period: 'night', direction, by: 'percent', basis: 'shelf' },
            { limit: rowsOfCard },
          )}) as move`;
    const offers = (verdict: 'real' | 'not-real', sort: 'deepest' | 'gap') => sql`
          select
            c.product_key, c.description, c.compared_price, night.compared_on, c.prior_price, c.verdict_label,
            c.stated_percent, c.real_pct
          from (${promotions.sql(
            { region, since: sql`${last} - 6`, until: last, verdict, running: 'yes', sort },
            { limit: 10 * rowsOfCard, isShort: true },
          )}) as c
          cross join lateral (${comparedNight}) as night
          where c.availability = 'available'
          limit ${rowsOfCard}`;
    const packs = packChanges.sql(
      { region, since: sql`${last} - 91`, until: last, smaller: true, larger: false, sort: 'newest' },
      { limit: rowsOfCard },
    );
    return {
      index: {
        caption: 'Price index of everything',
        sql: sql`
          select region, period_start, value
          from (${indexValuesOf({
            ...{ region: [...regionCodes], categoryKeys: undefined, period: 'day', methods: ['geks_jevons'] },
            ...{ bases: ['shelf_adjusted'], since: sql`${last} - ${nightsOfIndex - 1}::int`, until: last },
          })}) as kept
          order by region desc, period_start`,
        columns: [{ name: 'region' }, { name: 'period_start', as: 'date' }, { name: 'value', as: 'number' }],
        none: 'There is no index yet.',
      } as Query<IndexNight>,
      counts: {
        caption: 'Counts of the last night and the last week',
        sql: sql`
          select
            f.snapshot_date, f.products_listed, f.price_increases, f.price_decreases,
            (select sum(promotions) from marts.fct_promotion_check_daily d
             where d.region = f.region and d.snapshot_date > f.snapshot_date - 7
               and d.verdict_label = 'real') as real,
            (select sum(promotions) from marts.fct_promotion_check_daily d
             where d.region = f.region and d.snapshot_date > f.snapshot_date - 7
               and d.verdict_label in ('overstated', 'no reduction')) as overstated,
            (select count(*) from marts.fct_pack_change p
             where p.region = f.region and p.new_size < p.old_size
               and p.snapshot_date > f.snapshot_date - 92) as shrunk,
            ${lastCertified(region)} > f.snapshot_date as is_behind
          from marts.fct_region_daily f
          where f.region = ${region} and f.snapshot_date = ${last}`,
        columns: [{ name: 'products_listed', as: 'number' }],
        none: 'There are no figures yet.',
      } as Query<Counts>,
      dearer: {
        caption: 'Dearer since last night',
        sql: withLine(moves('rises'), region),
        columns: lineColumns,
        none: 'No price rose last night.',
      } as Query<Move>,
      cheaper: {
        caption: 'Cheaper since last night',
        sql: withLine(moves('falls'), region),
        columns: lineColumns,
        none: 'No price fell last night.',
      } as Query<Move>,
      real: {
        caption: 'Real discounts that began this week',
        sql: withLine(offers('real', 'deepest'), region, 'member'),
        columns: lineColumns,
        none: 'No offer that began this week is known to be real. A verdict needs the 30 nights before.',
      } as Query<Offer>,
      overstated: {
        caption: 'Discounts that promise more than they save',
        sql: withLine(offers('not-real', 'gap'), region, 'member'),
        columns: lineColumns,
        none: 'No offer of this week promises more than it saves.',
      } as Query<Offer>,
      shrunk: {
        caption: 'Packs that shrank',
        sql: withLine(
          sql`
          select pack.product_key, pack.old_size, pack.new_size, pack.unit, pack.unit_price_effect_pct
          from (${packs}) as pack`,
          region,
        ),
        columns: lineColumns,
        none: 'No pack shrank in the last quarter.',
      } as Query<Pack>,
      nights: lineNights(region),
    };
  },
  hasOwnHeading: true,
  title: () => 'What does it cost, and what did it cost before?',
  view: ({ parameters: { region }, tables }) => {
    const { index, counts, dearer, cheaper, real, overstated, shrunk, nights } = tables;
    const [count] = counts.rows;
    // What an empty list says, unless nothing happened.
    const late = count?.is_behind ? { none: beingDerived } : {};
    const unmoved = count?.price_increases === null ? { none: 'There is no night before to compare with yet.' } : {};
    const at = (path: string, query = '') => `${path}?region=${region}${query}`;
    return (
      <>
        <div class="pair wide-right">
          <section class="hero">
            <h1>What does it cost, and what did it cost before?</h1>
            <Find id="find" kept={region === 'ie' ? [['region', region]] : []} />
            <div class="chips">
              <span class="quiet">Try</span>
              {['milk', 'chocolate', 'coffee', 'bread', 'cat food'].map((words) => (
                <a key={words} class="chip" href={at('/products', `&q=${encodeURIComponent(words)}`)}>
                  {words}
                </a>
              ))}
              <a class="chip" href={at('/products', '&moved=dearer&offer=promotion')}>
                dearer and on offer
              </a>
            </div>
          </section>
          <IndexCard index={index} region={region} count={count} />
        </div>
        {count === undefined ? (
          <p class="empty">
            {nights.rows.length > 0 ? beingDerived : 'The first prices are here as soon as a night is complete.'}
          </p>
        ) : (
          <>
            <div class="pair lists">
              <List
                of={{ ...dearer, ...unmoved, ...late }}
                nights={nights}
                count={count.price_increases}
                one="product"
                href={at('/movers', '&direction=rises')}
                all="All movers"
                cell={(row) => <PriceChange of={row} />}
                sign={() => 1}
              />
              <List
                of={{ ...cheaper, ...unmoved, ...late }}
                nights={nights}
                count={count.price_decreases}
                one="product"
                href={at('/movers', '&direction=falls')}
                all="All movers"
                cell={(row) => <PriceChange of={row} />}
                sign={() => -1}
              />
            </div>
            <div class="pair lists">
              <List
                of={real}
                nights={nights}
                count={count.real}
                one="offer"
                href={at('/promotions', '&verdict=real&nights=7')}
                all="All real ones"
                cell={(row) => <OfferPrice of={row} />}
                below={priorWords}
              />
              <List
                of={{ ...overstated, ...late }}
                nights={nights}
                count={count.overstated}
                one="offer"
                href={at('/promotions', '&verdict=not-real&nights=7')}
                all="Why?"
                cell={(row) => <OfferPrice of={row} />}
                below={priorWords}
              />
            </div>
            <Card
              title={shrunk.caption}
              aside={<More count={count.shrunk} one="pack" href={at('/shrinkflation')} all="All packs that shrank" />}
            >
              <ProductTable
                of={{ ...shrunk, ...late }}
                nights={nights}
                columns={[
                  { heading: 'Held', cell: (row) => packSize(row.old_size, row.unit) },
                  { heading: 'Holds', cell: (row) => packSize(row.new_size, row.unit), isPrice: true },
                  { heading: 'Per unit', cell: (row) => <Change percent={row.unit_price_effect_pct} /> },
                ]}
              />
            </Card>
          </>
        )}
      </>
    );
  },
});

const beingDerived = 'The figures of the last night are still being derived.';

interface MoreProps {
  /** Null: unknown. */
  readonly count: number | string | null;
  /** What is counted. */
  readonly one: string;
  readonly href: string;
  /** Name of the link to all of them. */
  readonly all: string;
}

function More({ count, one, href, all }: MoreProps) {
  return (
    <>
      {count !== null && `${plural(Number(count), one)} · `}
      <a class="more" href={href}>
        {all}
      </a>
    </>
  );
}

interface ListProps<Row> extends MoreProps {
  readonly of: Table<Row>;
  readonly nights: Table<Night>;
  cell(row: Row): ComponentChildren;
  readonly below?: (row: Row) => ComponentChildren;
  readonly sign?: (row: Row) => number;
}

/** Card with a few products and one column. */
function List<Row extends ProductLine>({ of: table, nights, cell, below, sign, ...more }: ListProps<Row>) {
  return (
    <Card title={table.caption} aside={<More {...more} />}>
      <ProductTable
        of={table}
        nights={nights}
        columns={[{ heading: 'Price', isPrice: true, cell }]}
        below={below}
        sign={sign}
      />
    </Card>
  );
}

function OfferPrice({ of: row }: { of: Offer }) {
  const verdict = verdictOf(row.verdict_label);
  return (
    <>
      <span class="price">{money(row.loyalty_price ?? row.price, row.currency)}</span>
      <Badge kind={verdict}>{verdictNumbers(verdict, row.stated_percent, row.real_pct)}</Badge>
    </>
  );
}

function priorWords(row: Offer): string {
  const prior = money(row.compared_price, row.currency);
  const when = row.compared_on === null ? 'before' : `on ${dayAndMonth(row.compared_on)}`;
  const paid = Number(row.compared_price) < Number(row.prior_price ?? 0) ? 'members paid' : 'it cost';
  return row.verdict_label === 'real'
    ? `${prior} was the lowest of the 30 nights before`
    : `${text(row.description)}; ${paid} ${prior} ${when}`;
}

/** The index of both regions, and its change in 30 nights or, in a younger book, in all its nights. */
function IndexCard(props: { index: Table<IndexNight>; region: RegionCode; count: Counts | undefined }) {
  const { index, region, count } = props;
  if (index.rows.length === 0) return <p class="none">There is no price index yet: it needs complete nights.</p>;
  const lines = regionCodes
    .map((code) => ({ code, rows: index.rows.filter((row) => row.region === code) }))
    .filter(({ rows }) => rows.length > 0);
  const starts = index.rows.map(({ period_start }) => period_start).sort();
  const dates = datesBetween(starts[0]!, starts.at(-1)!);
  const span = Math.min(nightsIn.month, dates.length - 1);
  const changes = lines.map(({ code, rows }) => ({ code, change: span === 0 ? null : changeIn(rows, span) }));
  const known = changes.filter(({ change }) => change !== null);
  const own = changes.find(({ code }) => code === region)?.change ?? null;
  return (
    <Card
      title={averageWords(own, span)}
      aside={
        <a class="more" href={`/index?region=${region}`}>
          Inflation by department
        </a>
      }
    >
      <dl class="stats">
        {known.map(({ code, change }) => (
          <div key={code}>
            <dt>
              {regions[code].name}, {plural(span, 'night')}
            </dt>
            <dd>
              <Change percent={change} />
            </dd>
          </div>
        ))}
        {count?.price_increases != null && (
          <div class="roomy">
            <dt>Moved last night</dt>
            <dd>
              <span class="up">{number(count.price_increases)}</span> <small>dearer,</small>{' '}
              <span class="down">{number(count.price_decreases)}</span> <small>cheaper</small>
            </dd>
          </div>
        )}
      </dl>
      <PeriodChart
        id="index"
        isShort
        title="Price index of everything"
        description={known
          .map(({ code, change }) => `${regions[code].name} ${percent(change)} in ${plural(span, 'night')}`)
          .join('; ')}
        periods={dates}
        series={lines.map(({ code, rows }) => ({
          name: regions[code].name,
          short: code === 'uk' ? 'UK' : 'Ireland',
          values: rescaled(rows),
        }))}
        level={{ name: '', value: 100 }}
        format={(value, decimals = 1) => value.toFixed(Math.max(1, decimals))}
      />
    </Card>
  );
}

/** Values with the first one as 100. */
function rescaled(rows: readonly IndexNight[]): Map<string, number | null> {
  const base = Number(rows.find(({ value }) => value !== null)?.value ?? 100);
  return new Map(
    rows.map(({ period_start, value }) => [period_start, value === null ? null : (100 * Number(value)) / base]),
  );
}

/** Change of an index up to its last night, in percent; null: it does not reach back so far. */
function changeIn(rows: readonly IndexNight[], nights: number): number | null {
  const known = rows.filter(({ value }) => value !== null);
  const now = known.at(-1);
  if (!now) return null;
  const dates = datesBetween(known[0]!.period_start, now.period_start);
  const since = dates.at(-1 - nights);
  const before = since && known.findLast(({ period_start }) => period_start <= since);
  return before ? 100 * (Number(now.value) / Number(before.value) - 1) : null;
}

function averageWords(change: number | null, nights: number): string {
  if (change === null) return `Prices of everything, ${plural(nights + 1, 'night')}`;
  const span = nights === nightsIn.month ? 'in a month' : `in ${plural(nights, 'night')}`;
  if (Math.abs(change) < 0.05) return `On average, prices did not change ${span}`;
  return `Prices ${change > 0 ? 'rose' : 'fell'} ${Math.abs(change).toFixed(1)}% on average ${span}`;
}
