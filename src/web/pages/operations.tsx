import type { JSX } from 'preact';
import { type RegionCode, regionCodes, regions } from '../../base/model/index.ts';
import { fields } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import { nightsInWords, phaseNames, type RegionStatus } from '../../questions/status.ts';
import { liveScript } from '../assets.ts';
import { DataTable } from '../data-table.tsx';
import { ListingCards } from '../listing-cards.tsx';
import { nextNight } from '../next-night.ts';
import { NightCalendars, nightsInOneSentence, nightsOfHalfYear } from '../night-calendars.tsx';
import { definePage, type Moment, type Query } from '../page.ts';
import { Card } from '../parts.tsx';
import { longDate, nothing, number, text } from '../words.ts';
import { CertificateMeanings } from './certificate-words.tsx';

interface LatestNight {
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly night_before: string | null;
  readonly products_listed: number;
  readonly listed_before: number | null;
  readonly products_available: number;
  readonly available_before: number | null;
  readonly products_on_promotion: number;
  readonly promoted_before: number | null;
  readonly arrivals: number | null;
  readonly departures: number | null;
  readonly price_increases: number | null;
  readonly price_decreases: number | null;
}

export const operations = definePage({
  path: '/operations',
  nav: 'Operations',
  isOperations: true,
  about: 'The last night of both regions, open runs, requests and certificates.',
  usesStatus: true,
  script: liveScript,
  parameters: {},
  queries: () => ({
    latest: {
      caption: 'Last certified night compared with the one before',
      sql: sql`
        select
          f.region, f.snapshot_date, before.snapshot_date as night_before,
          f.products_listed, before.products_listed as listed_before,
          f.products_available, before.products_available as available_before,
          f.products_on_promotion, before.products_on_promotion as promoted_before,
          f.arrivals, f.departures, f.price_increases, f.price_decreases
        from marts.dim_region r
        join marts.fct_region_daily f
          on f.region = r.region
          and f.snapshot_date = (select max(l.snapshot_date) from marts.fct_region_daily l where l.region = r.region)
        left join marts.fct_region_daily before
          on before.region = r.region
          and before.snapshot_date = (
            select max(l.snapshot_date) from marts.fct_region_daily l
            where l.region = r.region and l.snapshot_date < f.snapshot_date)
        order by f.region desc`,
      columns: [
        ...fields('region', 'snapshot_date'),
        { name: 'products_listed', heading: 'Listed', as: 'number' },
        { name: 'products_available', heading: 'For sale', as: 'number' },
        { name: 'products_on_promotion', heading: 'On offer and for sale', as: 'number' },
        { name: 'arrivals', heading: 'New', as: 'number' },
        { name: 'departures', heading: 'Gone', as: 'number' },
        { name: 'price_increases', heading: 'Dearer', as: 'number' },
        { name: 'price_decreases', heading: 'Cheaper', as: 'number' },
      ],
      none: 'There are no figures yet.',
    } as Query<LatestNight>,
    nights: nightsOfHalfYear('both'),
  }),
  title: (_, { nights }) => nightsInOneSentence(nights.rows),
  lead: () => 'What the program does: it reads both shops every night, and judges whether it has seen everything.',
  view: ({ tables: { latest, nights }, at }) => (
    <>
      <div class="cards">
        {regionCodes.map((region) => (
          <RegionCard key={region} region={region} at={at} latest={latest.rows.find((row) => row.region === region)} />
        ))}
      </div>
      <DataTable of={latest} isFolded />
      <Card title="Nights" aside={<a href="/nights">All nights</a>}>
        {nights.rows.length === 0 ? (
          <p class="empty">No night has been published yet. The first is here as soon as it is crawled.</p>
        ) : (
          <NightCalendars of={nights.rows} />
        )}
        <DataTable of={nights} isFolded />
      </Card>
      <CertificateMeanings />
      <ListingCards of={at.status!.listings} />
    </>
  ),
});

function RegionCard({ region, at, latest }: { region: RegionCode; at: Moment; latest: LatestNight | undefined }) {
  const status = at.status!;
  const own = status.regions.find((one) => one.region === region)!;
  const live = progressOf(own);
  return (
    <section class="card" aria-labelledby={`region-${region}`}>
      <h2 id={`region-${region}`}>{regions[region].name}</h2>
      {latest === undefined ? (
        <p class="none">There are no figures yet: they follow from certified nights.</p>
      ) : (
        <>
          <p class="big">{number(latest.products_listed)}</p>
          <p>
            {`products listed in the night of ${longDate(latest.snapshot_date)}, `}
            {latest.night_before === null
              ? 'the first complete one'
              : `${differenceOf(latest.products_listed, latest.listed_before!)} on ${longDate(latest.night_before)}`}
          </p>
          <dl class="facts">
            <dt>For sale</dt>
            <dd>{moved(latest.products_available, latest.available_before)}</dd>
            <dt>On offer and for sale</dt>
            <dd>{moved(latest.products_on_promotion, latest.promoted_before)}</dd>
            <dt>New products</dt>
            <dd>{countOf(latest.arrivals)}</dd>
            <dt>Gone</dt>
            <dd>{countOf(latest.departures)}</dd>
            <dt>Dearer</dt>
            <dd>{countOf(latest.price_increases)}</dd>
            <dt>Cheaper</dt>
            <dd>{countOf(latest.price_decreases)}</dd>
          </dl>
        </>
      )}
      <div id={`live-${region}`}>
        <p>{live.line}</p>
        <progress
          aria-label={`How far the night of ${regions[region].name} is`}
          max={Math.max(1, live.planned)}
          value={live.done}
          hidden={live.planned === 0}
        />
      </div>
      <Troubles of={own} />
      <p class="about">Next night: {nextNight(region, at.now, at.nightBeginsAt)}</p>
    </section>
  );
}

/** Progress of a region's run, as a sentence and as a fraction; `planned` is 0 if no run is open. */
function progressOf({ open }: RegionStatus) {
  if (!open) return { line: 'Nothing is running.', done: 0, planned: 0 };
  const { pagesDone, pagesFailed, pagesPlanned, detailsDone, detailsPlanned, requests } = open.progress;
  const waiting = open.run.pausedFor === null ? '' : ` Waiting: ${open.run.pausedFor}.`;
  return {
    line:
      `The night of ${longDate(open.run.snapshotDate)} is being read: ${phaseNames[open.run.phase]}; ` +
      `${pagesDone} of ${pagesPlanned} pages, ${detailsDone} of ${detailsPlanned} details, ` +
      `${requests} requests.${waiting}`,
    done: pagesDone + pagesFailed + detailsDone,
    planned: Math.max(1, pagesPlanned + detailsPlanned),
  };
}

function Troubles({
  of: { region, held, findings, missedNights, changedNights, nightsToDerive },
}: {
  of: RegionStatus;
}): JSX.Element {
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
          A worker still has to derive {number(nightsToDerive)} {nightsToDerive === 1 ? 'night' : 'nights'}. Until then,
          figures, indices and promotions of {nightsToDerive === 1 ? 'that night' : 'those nights'} may be missing.
        </p>
      )}
      {missedNights.length > 0 && (
        <p class="warn">
          <a href={`/nights?region=${region}&certificate=missed`}>Missed nights</a>: {nightsInWords(missedNights)}
        </p>
      )}
    </>
  );
}

/** A number and its change: `12 (3 more than before)`. */
function moved(now: number, before: number | null): string {
  return before === null ? number(now) : `${number(now)} (${differenceOf(now, before)} before)`;
}

/** `3 more than`. */
function differenceOf(now: number, before: number): string {
  if (now === before) return 'as many as';
  return `${number(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than`;
}

function countOf(value: number | null): string {
  return value === null ? nothing : number(value);
}
