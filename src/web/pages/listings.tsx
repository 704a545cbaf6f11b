import { z } from 'zod';
import { wholeNumber } from '../../questions/parameters.ts';
import { fields } from '../../questions/question.ts';
import { allOf, sql } from '../../questions/sql.ts';
import { hostStatusOf, listings as registry } from '../../source/listings/index.ts';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { DataTable, filled, TableCard } from '../data-table.tsx';
import { ListingCards } from '../listing-cards.tsx';
import { definePage, type Query } from '../page.ts';
import { Card, Choice, Field, Filters } from '../parts.tsx';
import { withCode } from '../with-code.tsx';
import { instant, nothing, number, plural, text, unsnaked } from '../words.ts';

interface Spent {
  readonly spent_on: string;
  readonly kind: string;
  readonly requests: string;
}

interface ListingRow {
  readonly listing: keyof typeof registry;
  readonly host: string;
  readonly state: string;
  readonly paused_until: Date | null;
  readonly last_error: string | null;
  readonly last_error_at: Date | null;
  readonly last_ok_at: Date | null;
  readonly moved_at: Date | null;
}

const names = Object.keys(registry) as (keyof typeof registry)[];

const mostDays = 366;

export const listings = definePage({
  path: '/requests',
  nav: 'Requests',
  isOperations: true,
  about: 'Requests to the gateway: spend by day, plan, health and deadlines of each listing.',
  usesStatus: true,
  parameters: {
    listing: z.enum(['all', ...names]).default('all'),
    days: wholeNumber(1, mostDays).default(31).meta({ description: 'Days up to the last day with requests' }),
  },
  queries: (p) => {
    const which = allOf(p.listing !== 'all' && sql`listing = ${p.listing}`);
    const recent = sql`spent_on > (select max(spent_on) from marts.listing_spend_daily) - ${p.days}::int`;
    return {
      spend: {
        caption: 'Requests by day and listing',
        sql: sql`
          select
            spent_on, listing, sum(requests) as requests, sum(units) as units,
            case when count(*) = count(cost) then sum(cost) end as cost, min(currency) as currency, sum(ok) as ok,
            sum(failed) as failed, sum(refused) as refused, sum(rate_limited) as rate_limited,
            sum(over_quota) as over_quota, sum(denied) as denied, sum(aborted) as aborted
          from marts.listing_spend_daily
          where ${recent} and ${which}
          group by spent_on, listing
          order by spent_on desc, listing`,
        columns: [
          { name: 'spent_on', heading: 'Day, UTC', as: 'date' },
          { name: 'listing', heading: 'Listing' },
          { name: 'requests', heading: 'Requests', as: 'number' },
          { name: 'units', heading: 'Units', as: 'number' },
          { name: 'cost', heading: 'Cost', as: 'money' },
          { name: 'ok', heading: 'Answered', as: 'number' },
          { name: 'failed', heading: 'Failed', as: 'number' },
          { name: 'refused', heading: 'Refused', as: 'number' },
          { name: 'rate_limited', heading: 'Rate limited', as: 'number' },
          { name: 'over_quota', heading: 'Over quota', as: 'number' },
          { name: 'denied', heading: 'Key refused', as: 'number' },
        ],
        none: 'No requests have been sent.',
      } as Query,
      kinds: {
        caption: 'Requests by day and kind',
        sql: sql`
          select
            spent_on,
            case
              when endpoint like '%-category-page' then 'category pages'
              when endpoint like '%-product-details' then 'products’ own pages'
              else 'others'
            end as kind,
            sum(requests) as requests
          from marts.listing_spend_daily
          where ${recent} and ${which}
          group by 1, 2
          order by 1 desc, 2`,
        columns: [
          { name: 'spent_on', heading: 'Day, UTC', as: 'date' },
          { name: 'kind', heading: 'Kind' },
          { name: 'requests', heading: 'Requests', as: 'number' },
        ],
        none: 'No requests have been sent.',
      } as Query<Spent>,
      endpoints: {
        caption: 'Requests by endpoint',
        sql: sql`
          select
            listing, endpoint, region, sum(requests) as requests,
            case when count(*) = count(cost) then sum(cost) end as cost, min(currency) as currency,
            round(100 * sum(ok) / nullif(sum(requests), 0), 2) as answered_pct
          from marts.listing_spend_daily
          where ${recent} and ${which}
          group by listing, endpoint, region
          order by sum(requests) desc, listing, endpoint, region
          limit 100`,
        columns: [
          ...fields('listing', 'endpoint', 'region'),
          { name: 'requests', heading: 'Requests', as: 'number' },
          { name: 'cost', heading: 'Cost', as: 'money' },
          { name: 'answered_pct', heading: 'Successful, %', as: 'number' },
        ],
        none: 'No requests have been sent.',
      } as Query,
      health: {
        caption: 'Health and deadlines',
        sql: sql`
          select
            listing, host, moved_at, state, paused_until, failures_in_a_row, last_ok_at, last_error_at, last_error,
            units_used, units_used_by_others, month_starts_at, month_ends_at, quota_limit, quota_remaining,
            quota_resets_at, quota_seen_at, probed_at, probe_outcome, probe_latency_ms
          from marts.listing_now
          where ${which}
          order by listing`,
        columns: [
          ...fields('listing', 'state', 'host'),
          { name: 'leave_by', heading: 'Move by' },
          { name: 'last_ok_at', heading: 'Last response', as: 'instant' },
          { name: 'last_error', heading: 'Last error' },
          { name: 'units_used', heading: 'Used of the quota', as: 'number' },
          { name: 'quota_limit', heading: 'Upstream’s limit', as: 'number' },
          { name: 'quota_remaining', heading: 'Remaining', as: 'number' },
          { name: 'quota_resets_at', heading: 'Resets at', as: 'instant' },
          { name: 'probe_latency_ms', heading: 'Probe, ms', as: 'number' },
        ],
        none: 'No request has been sent to a listing yet.',
      } as Query<ListingRow>,
    };
  },
  title: (_, { kinds: { rows } }) => {
    const days = new Set(rows.map(({ spent_on }) => spent_on)).size;
    const sent = rows.reduce((sum, { requests }) => sum + Number(requests), 0);
    return sent === 0 ? 'No requests yet' : `${plural(sent, 'request')} on ${plural(days, 'day')}`;
  },
  lead: () =>
    'A request asks the shop for one page. Every night reads all category pages, which have the prices. A product’s ' +
    'own page has what is in it: new and missing products first, then the oldest, as many as the night’s limit allows.',
  view: ({ parameters: p, tables: { spend, kinds, endpoints, health }, at }) => {
    const on = at.now.toISOString().slice(0, 10);
    const planned = (at.status?.listings ?? []).filter(({ listing }) => p.listing === 'all' || listing === p.listing);
    return (
      <>
        <Filters action="/requests">
          <Choice
            name="listing"
            label="Listing"
            value={p.listing}
            options={{ all: 'all', ...Object.fromEntries(names.map((name) => [name, unsnaked(name)])) }}
          />
          <Field name="days" label="Days" value={p.days} type="number" least={1} most={mostDays} />
        </Filters>
        <Card title="Requests by day">
          <SpendChart rows={kinds.rows} />
          <DataTable of={kinds} isFolded={kinds.rows.length > 0} />
          <DataTable of={filled(spend)} isFolded={spend.rows.length > 0} />
        </Card>
        <ListingCards of={planned} />
        <TableCard of={filled(endpoints)} />
        <Card title={health.caption}>
          <DataTable
            of={filled({ ...health, rows: health.rows.map((row) => ({ ...row, leave_by: deadline(row, on) })) })}
            cells={{
              listing: (row) => unsnaked(row.listing),
              state: (row) => {
                const until = row.paused_until === null ? '' : `, paused until ${instant(row.paused_until)}`;
                return row.state === 'ok' ? '✓ ok' : `✗ ${unsnaked(row.state)}${until}`;
              },
              last_error: (row) =>
                row.last_error === null
                  ? nothing
                  : `${text(row.last_error)}${row.last_error_at === null ? '' : ` (${instant(row.last_error_at)})`}`,
            }}
          />
          <p>
            {withCode(
              'To leave a host, first compare it with the new one: `pricebook listings migrate LISTING --dry-run`.',
            )}
          </p>
        </Card>
      </>
    );
  },
});

/** Days without requests are zero, because the ledger records every request. */
function SpendChart({ rows }: { rows: readonly Spent[] }) {
  if (rows.length === 0) return null;
  const days = rows.map(({ spent_on }) => spent_on).sort();
  const dates = datesBetween(days[0]!, days.at(-1)!);
  const shown = [...new Set(rows.map(({ kind }) => kind))].sort();
  return (
    <PeriodChart
      id="spend"
      title="Requests by day"
      description={`Requests of ${shown.join(', ')}, ${dates.length} days.`}
      periods={dates}
      series={shown.map((name) => {
        const requests = new Map(
          rows.filter(({ kind }) => kind === name).map((row) => [row.spent_on, Number(row.requests)]),
        );
        return { name, values: new Map(dates.map((date) => [date, requests.get(date) ?? 0])) };
      })}
      format={(value) => number(value)}
    />
  );
}

function deadline({ listing, host, moved_at }: ListingRow, on: string): string | null {
  const known = registry[listing];
  const due = known ? hostStatusOf(known, host, { on, isNew: moved_at !== null }).deadline : null;
  if (due === null) return null;
  if (due.state === 'passed') return `! ${due.leaveBy}, ${number(-due.days)} ${due.days === -1 ? 'day' : 'days'} ago`;
  return `${due.state === 'near' ? '! ' : ''}${due.leaveBy}, in ${number(due.days)} ${due.days === 1 ? 'day' : 'days'}`;
}
