import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { Bar, Columns } from '../charts/spark.tsx';
import { DataTable } from '../data-table.tsx';
import type { TablesOf } from '../page.ts';
import { Card } from '../parts.tsx';
import { type Verdict, verdictOf, verdicts as verdictWords } from '../prior-price.ts';
import { dayAndMonth, number, plural } from '../words.ts';
import type { Counted, calendar, reach } from './promotion-queries.ts';

export type Counts = Record<Verdict, number>;

/** Verdicts of offers with all nights before known; others can only fail, so they are counted apart. */
const fairKinds = { ...verdictWords, failed: { name: 'not what it says, nights missing' } } as const;
type FairKind = keyof typeof fairKinds;
type FairCounts = Record<FairKind, number>;

/** Offers by verdict; those that fail although nights before are missing are counted apart. */
export function fairTallyOf(rows: readonly Counted[]): FairCounts {
  const isFair = ({ verdict_label: label, has_all_nights }: Counted) =>
    has_all_nights || (label !== 'overstated' && label !== 'no reduction');
  const fair = tallyOf(rows.filter(isFair));
  return { ...fair, failed: sum(tallyOf(rows)) - sum(fair) };
}

export function tallyOf(rows: readonly Pick<Counted, 'verdict_label' | 'promotions'>[]): Counts {
  const counts: Counts = { real: 0, overstated: 0, 'no-reduction': 0, early: 0, unchecked: 0 };
  for (const { verdict_label, promotions: count } of rows) counts[verdictOf(verdict_label)] += Number(count);
  return counts;
}

export const sum = (counts: Counts | FairCounts) => Object.values(counts).reduce((all, count) => all + count, 0);
const fillOf = (verdict: FairKind) => (verdict === 'unchecked' ? 'several' : verdict);

/** Name of a kind; next to failures with nights missing, the others say that all are known. */
const nameIn = (counts: FairCounts, kind: FairKind) =>
  `${fairKinds[kind].name}${
    counts.failed > 0 && (kind === 'overstated' || kind === 'no-reduction') ? ', all nights known' : ''
  }`;

export function Tally({ of: counts, nights }: { of: FairCounts; nights: number }) {
  const all = Math.max(1, sum(counts));
  return (
    <Card title={`Began in ${plural(nights, 'day')}`} aside={plural(sum(counts), 'offer')}>
      <ul class="tally">
        {kindsIn(counts).map((verdict) => (
          <li key={verdict}>
            <span>{nameIn(counts, verdict)}</span>
            <b>{number(counts[verdict])}</b>
            <Bar share={counts[verdict] / all} kind={fillOf(verdict)} />
          </li>
        ))}
      </ul>
      <p class="quiet">
        Nothing to check: deals on several products, such as 3 for 2, lower no single price. The rows say what one costs
        then.{' '}
        {counts.failed > 0 &&
          'Nights missing: without all 30 nights before, an offer can fail but not be real; these count apart.'}
      </p>
    </Card>
  );
}

/** An empty kind is left out if it is none of the verdicts. */
const kindsIn = (counts: FairCounts) =>
  (Object.keys(fairKinds) as FairKind[]).filter((kind) => kind !== 'failed' || counts.failed > 0);

/** Offers that began, by week and verdict. */
export function Weeks({ of: rows }: { of: readonly Counted[] }) {
  const weeks = [...new Set(rows.map(({ week_starts_on }) => week_starts_on))].sort();
  const all = fairTallyOf(rows);
  const kinds = kindsIn(all);
  const byWeek = weeks.map((week) => ({
    name: dayAndMonth(week),
    counts: fairTallyOf(rows.filter(({ week_starts_on }) => week_starts_on === week)),
  }));
  return (
    <Card title="Offers that began, by week" aside="seven nights each, up to the last complete one">
      <ul class="key">
        {kinds.map((verdict) => (
          <li key={verdict}>
            <svg viewBox="0 0 24 12" aria-hidden="true">
              <rect class={`fill ${fillOf(verdict)}`} width="24" height="12" rx="2" />
            </svg>
            {nameIn(all, verdict)}
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

export function Calendar({
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
