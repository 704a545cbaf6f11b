import type { JSX } from 'preact';
import { regionCodes, regions } from '../../base/model/index.ts';
import type { ListingStatus } from '../../crawl/run/listing-status.ts';
import { nextNight, timeText } from '../../crawl/run/night-time.ts';
import { phaseNames } from '../../crawl/run/progress.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { nights } from '../../questions/nights.ts';
import { requests } from '../../questions/requests.ts';
import { sql } from '../../questions/sql.ts';
import { nightsInWords, type RegionStatus } from '../../questions/status.ts';
import { dateOf, datesBetween, dayOf } from '../charts/days.ts';
import { Key } from '../charts/drawing.tsx';
import { beside, filters, of } from '../kernel/blocks.tsx';
import { columns, sampleOf } from '../kernel/counts.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Card, Facts } from '../kernel/parts.tsx';
import { table } from '../kernel/table.tsx';
import {
  dayAndMonth,
  instant,
  longDate,
  money,
  number,
  plural,
  regionName,
  shortDate,
  text,
  unsnaked,
} from '../kernel/words.ts';
import { boardPath } from '../queue-board.ts';

/** Nights that the heading counts. */
const halfYear = 26 * 7;

/** How many of the nights are complete. */
async function title({ rows, written }: Shown<Night, unknown>) {
  const shown = (await rows({ limit: halfYear * 2 })).rows;
  if (shown.length === 0)
    return Object.keys(written).length > 0 ? 'There is no such night' : 'No night is published yet';
  // A night of two regions is one night.
  const nightsOf = (some: typeof shown) => new Set(some.map(({ snapshot_date }) => snapshot_date)).size;
  const lacking = nightsOf(shown.filter((row) => row.status !== 'published' || row.certificate === 'partial'));
  const tolerated = nightsOf(shown.filter((row) => row.certificate === 'complete_within_tolerance'));
  const all = plural(nightsOf(shown), 'night');
  const where = new Set(shown.map(({ region }) => region)).size > 1 ? ' in both regions' : '';
  if (lacking === 0) return `All ${all} are complete${where}${tolerated > 0 ? `, ${tolerated} within tolerance` : ''}`;
  return `${lacking} of ${all} ${lacking === 1 ? 'is' : 'are'} not complete`;
}

/** A card per region: what failed, what runs, what the last night cost and listed, and when the next begins. */
async function regionCards({ ask, at, rows }: Shown<Night, ParametersOf<typeof nights>>): Promise<JSX.Element> {
  const all = { region: undefined, kind: undefined, since: undefined, until: undefined };
  const judged = (await rows({ given: all, limit: halfYear * 2 })).rows;
  const status = await at.readStatus();
  const isSimulated = await isOfSimulator(ask);
  return (
    <div class="cards">
      {regionCodes.map((region) => {
        const own = status.regions.find((one) => one.region === region)!;
        const { lastNight: night } = own;
        const cost = costWords(night?.cost ?? null, isSimulated);
        return (
          <section key={region} class="card" aria-labelledby={`region-${region}`}>
            <h2 id={`region-${region}`}>{regionName(region)}</h2>
            <Troubles of={own} />
            <p>{progressOf(own)}</p>
            <Facts
              of={[
                ['Last night, without searches', night && `${plural(night.requestsSpent ?? 0, 'request')}, ${cost}`],
                [
                  'Next night',
                  `${longDate(nextNight(region, at.now, at.nightBeginsAt[region], night))} at ` +
                    `${timeText(at.nightBeginsAt[region])} (${regions[region].timeZone})`,
                ],
                ['Listed', night?.productsListed == null ? null : plural(night.productsListed, 'product')],
              ]}
            />
            <Calendar of={judged.filter((night) => night.region === region)} />
          </section>
        );
      })}
    </div>
  );
}

/** Whether the last night was read from the simulator, whose requests cost nothing. */
export async function isOfSimulator(ask: Shown<unknown, unknown>['ask']): Promise<boolean> {
  const [last] = await ask({
    caption: 'Upstream of the last night',
    columns: fields('upstream'),
    sql: sql`select upstream from marts.certificate order by snapshot_date desc limit 1`,
  });
  return last?.upstream?.startsWith('simulator ') ?? false;
}

export function costWords(cost: ListingStatus['cost'], isSimulated: boolean): string {
  if (cost) return money(cost.amount, cost.currency);
  return isSimulated ? 'free (simulated)' : 'cost unknown: set GROCERY_PLAN or GROCERY_PRICE';
}

type Night = RowOf<typeof nights>;

/** Words and colours of the squares of the calendar by certificate. */
const squares = {
  complete: ['complete', 'real'],
  complete_within_tolerance: ['complete within tolerance', 'near'],
  partial: ['partial', 'overstated'],
  none: ['missed or not published', 'no-reduction'],
} as const;
const nightsOfCalendar = 91;

const stateOf = ({ status, certificate }: Night) =>
  status === 'published' ? (certificate as keyof typeof squares) : 'none';

/** Address of the evidence about a night, or of the missed nights. */
const nightHref = ({ region, snapshot_date: date, run_id: run }: Night) =>
  run === null ? `/operations?region=${region}&kind=missed` : `/night?region=${region}&date=${date}&run=${run}`;

/** Nights of a region, newest first, as a calendar: a column a week from Monday on, a square a night. */
function Calendar({ of: own }: { of: readonly Night[] }): JSX.Element | null {
  const [last, first] = [own[0], own.at(-1)];
  if (!last || !first) return null;
  const known = new Map(own.toReversed().map((night) => [night.snapshot_date, night]));
  const from = Math.max(dayOf(first.snapshot_date), dayOf(last.snapshot_date) - nightsOfCalendar + 1);
  // Days are counted from a Thursday.
  const monday = dateOf(from - ((from + 3) % 7));
  return (
    <>
      <h3>{`Nights, by week from Monday, ${dayAndMonth(dateOf(from))} to ${shortDate(last.snapshot_date)}`}</h3>
      <Key of={Object.values(squares).map(([name, fill]) => [name, sampleOf(fill)])} />
      <ul class="calendar">
        {datesBetween(monday, last.snapshot_date).map((date) => {
          const day = Number(date.slice(-2));
          const night = known.get(date);
          if (!night) return <li key={date}>{day}</li>;
          const [words, fill] = squares[stateOf(night)];
          return (
            <li key={date}>
              <a class={fill} href={nightHref(night)} aria-label={`${shortDate(date)}: ${words}`}>
                {day}
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What requests read, by the end of the endpoint's name. */
const readings = [
  { value: 'category-page', name: 'lists of products', fill: 'main' },
  { value: 'product-details', name: 'details of products', fill: 'kept' },
  { value: '', name: 'other requests, such as searches', fill: 'early' },
];
const daysOfRequests = 14;

export const requestsByDay = of(
  requests,
  (_, { at, written: { listing } }) => ({
    listing: listing as never,
    since: dateOf(dayOf(at.now.toISOString().slice(0, 10)) - daysOfRequests + 1),
  }),
  columns('endpoint', {
    title: `Requests of the last ${daysOfRequests} days`,
    kinds: readings,
    byDate: true,
    counts: async ({ countBy }) => {
      const kind = sql`concat(spent_on, substring(endpoint from '-(category-page|product-details)$'))`;
      const found = await countBy(kind, { sum: sql`sum(requests)::int` });
      return found.map(({ value, sum }) => ({ value, all_rows: sum }));
    },
  }),
);

/** Progress of a region's run. */
function progressOf({ open }: RegionStatus): string {
  if (!open) return 'Nothing is running.';
  const { pagesDone, pagesPlanned, detailsDone, detailsPlanned, requests: sent } = open.progress;
  const waiting = open.run.stop === null ? '' : ` Waiting: ${open.run.stop.detail}.`;
  return (
    `The night of ${longDate(open.run.snapshotDate)} is being read: ${phaseNames[open.run.phase]}; ` +
    `${pagesDone} of ${plural(pagesPlanned, 'page')}, ${detailsDone} of ${plural(detailsPlanned, 'detail')}, ` +
    `${plural(sent, 'request')}.${waiting}`
  );
}

function Troubles({ of: status }: { of: RegionStatus }): JSX.Element {
  const { region, held, findings, missedNights, changedNights, nightsToDerive } = status;
  return (
    <>
      {held !== null && (
        <p class="bad">
          The night of {longDate(held.snapshotDate)} (run {held.runId}) is held back until a person releases it.
        </p>
      )}
      {findings.map(({ name, severity, message }) => (
        <p key={name} class={severity === 'block' ? 'bad' : 'warn'}>
          {severity === 'block' ? 'Held for: ' : 'Noted: '}
          {text(message)}
        </p>
      ))}
      {changedNights.length > 0 && (
        <p class="bad">Nights that no longer match their certificates: {nightsInWords(changedNights)}</p>
      )}
      {nightsToDerive > 0 && (
        <p class="warn">
          {`A worker still has to derive ${plural(nightsToDerive, 'night')}. Until then, figures, indices and ` +
            'promotions of them may be missing.'}
        </p>
      )}
      {missedNights.length > 0 && (
        <p class="warn">
          <a href={`/operations?region=${region}&kind=missed`}>Missed nights</a>: {nightsInWords(missedNights)}
        </p>
      )}
    </>
  );
}

/** Jobs in the queues, and how many processes can take them. */
async function jobs({ at }: Shown<unknown, unknown>): Promise<JSX.Element> {
  const [queues, { workersAlive }] = [await at.readJobs(), await at.readStatus()];
  const busy = queues?.filter(({ active, waiting }) => active + waiting > 0) ?? [];
  return (
    <Card title="Jobs" aside={<a href={boardPath}>Every single job, for experts</a>}>
      <p>{`${workersAlive || 'No'} ${workersAlive === 1 ? 'process' : 'processes'} can take jobs.`}</p>
      {queues === null && <p class="warn">The queues cannot be reached at the moment.</p>}
      {queues !== null && busy.length === 0 && <p>Nothing is running or waiting.</p>}
      <Facts
        of={busy.map(({ name, active, waiting }) => [
          unsnaked(name),
          `${number(active)} running, ${number(waiting)} waiting`,
        ])}
      />
    </Card>
  );
}

/** Requests, quota, cost and state of each listing. */
async function listingCards({ ask, at }: Shown<unknown, unknown>): Promise<JSX.Element> {
  const isSimulated = await isOfSimulator(ask);
  const { listings } = await at.readStatus();
  return (
    <>
      {listings.map((listing) => (
        <Card key={listing.listing} title={`Requests this month to “${unsnaked(listing.listing)}”`}>
          <p class="big">{number(listing.requestsSpent)}</p>
          <p>{`${quotaLine(listing)} Cost so far: ${costWords(listing.cost, isSimulated)}.`}</p>
          {listing.state !== 'ok' && (
            <p class="bad">
              {unsnaked(listing.state)}
              {listing.pausedUntil === null ? '' : `, paused until ${instant(listing.pausedUntil)}`}:{' '}
              {text(listing.lastError ?? '')}
            </p>
          )}
        </Card>
      ))}
    </>
  );
}

function quotaLine({ monthlyQuota }: ListingStatus): string {
  if (monthlyQuota === null) return 'No monthly limit is known.';
  return monthlyQuota === 0 ? 'There is no quota.' : `of ${plural(monthlyQuota, 'request')}.`;
}

export const operationsPage = page(nights, {
  path: '/operations',
  nav: 'Operations',
  isOperations: true,
  isLive: true,
  about: 'The last night of both regions, open runs, requests, jobs and certificates.',
  title,
  lead: () =>
    'A night reads all lists of products, and the details of up to 200 (of 20 where the demo plays past nights). ' +
    'It is complete if it has seen every product that the shop declares.',
  blocks: [
    regionCards,
    beside('pair wide-right')(beside('stack')(listingCards, jobs), requestsByDay),
    filters('region', 'kind', 'since', 'until'),
    table({
      title: 'Nights',
      onPhone: ['snapshot_date', 'region', 'verdict', 'requests_spent'],
      cells: {
        snapshot_date: (row) => <a href={nightHref(row)}>{shortDate(row.snapshot_date)}</a>,
      },
    }),
  ],
});
