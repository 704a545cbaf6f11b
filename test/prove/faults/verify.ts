import type { RegionCode } from '../../../src/base/model/index.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { businessDump } from '../../support/dump.ts';
import { brokenInvariants } from '../../support/invariants.ts';
import { leaksInDatabase, leaksInFiles, leaksInRedis } from '../../support/leaks.ts';
import { sentinelKey } from '../../support/sentinel-key.ts';
import { compareNight } from '../compare-night.ts';
import type { Site } from '../site.ts';
import { dateOf } from './catalogues.ts';
import type { PlayedNight } from './play-night.ts';
import type { Schedule } from './schedule.ts';
import type { Undisturbed } from './undisturbed.ts';

/**
 * Requests that one process may have in flight (REQUEST_CONCURRENCY), and two groups of answers that it has not kept
 * yet (src/crawl/work.ts).
 */
const inFlight = 16 + 2 * 64;

/** Holds the end of a schedule against every promise: invariants, truth, undisturbed course, counts, secrecy. */
export async function verify(site: Site, schedule: Schedule, nights: readonly PlayedNight[], undisturbed: Undisturbed) {
  const runs = await readRuns(site);
  const expected = undisturbed.requests.reduce((sum, requests) => sum + requests, 0);
  /** Requests beyond those of the undisturbed course. */
  const respent = site.simulator.log().total - expected;
  const broken = [
    ...(await brokenInvariants(site.db)),
    ...(await untrueNights(site, schedule, runs)),
    ...(await falseAbsences(site, schedule)),
    ...(await unlikeUndisturbed(site, schedule, undisturbed, runs)),
    ...(await miscounted(site, schedule, nights)),
    ...tooDear(schedule, nights, respent),
    ...(await leaked(site, nights)),
    ...unexpected(nights).map((line) => `said: ${line}`),
  ];
  return { broken, respent, verdicts: runs.map(({ verdict }) => verdict) };
}

interface PublishedRun {
  readonly region: RegionCode;
  readonly date: string;
  readonly verdict: string;
  readonly reasons: readonly string[];
}

function readRuns({ db }: Site) {
  return rowsOf<PublishedRun & Record<string, unknown>>(
    db,
    `select region, snapshot_date as date, r.verdict,
       array(select reason::text from jsonb_array_elements(reasons) as reason) as reasons
     from ops.run r left join ops.certificate c using (run_id) where status = 'published' order by run_id`,
  );
}

/** A night that is certified is the truth. */
async function untrueNights(site: Site, schedule: Schedule, runs: readonly PublishedRun[]): Promise<string[]> {
  const found: string[] = [];
  for (const run of runs) {
    const { region, date, verdict } = run;
    const isCalm = schedule.nights[nightOf(schedule, date)]?.faults.length === 0;
    if (verdict === 'partial' || !(schedule.isTruthful || isCalm)) continue;
    const { wrong, lackingListings } = await compareNight(site.db, site.simulator, region, date, leavesOut(run));
    // A category truncated under a total that agrees loses products of other categories a night early, until the
    // next undisturbed one: only its declared total could tell.
    const differing = isCalm && !leavesOut(run) ? [...wrong, ...lackingListings] : wrong;
    if (differing.length > 0) {
      found.push(`${region} ${date} is ${verdict}, yet differs in ${differing.length} products: ${differing[0]}`);
    }
  }
  return found;
}

/** Whether the only doubt about a night is that it left out categories that repeat others. */
function leavesOut({ verdict, reasons }: PublishedRun): boolean {
  return verdict === 'complete_within_tolerance' && reasons.every((reason) => reason.includes('category_not_read'));
}

/** Products that were there that night are never reported as gone, whatever the verdict. */
async function falseAbsences(site: Site, { catalogue, isTruthful }: Schedule): Promise<string[]> {
  if (!isTruthful) return [];
  const rows = await rowsOf<{ region: RegionCode; date: string; product_id: string; availability: string }>(
    site.db,
    `select p.region, r.snapshot_date as date, p.product_id, h.availability from catalog.availability_spell h
     join catalog.product p using (product_key)
     join ops.run r on r.region = p.region and r.observed_at = h.valid_from
     where h.availability in ('absent', 'delisted')`,
  );
  const found: string[] = [];
  for (const region of catalogue.regions) {
    for (const night of catalogue.nights) {
      const date = dateOf(night);
      const gone = rows.filter((row) => row.region === region && row.date === date);
      if (gone.length === 0) continue;
      const there = new Set([...site.simulator.truth(region, date)].map(({ productId }) => productId));
      const wrongly = gone.filter(({ product_id }) => there.has(product_id));
      if (wrongly.length > 0)
        found.push(`${region} ${date}: ${wrongly.length} were there, yet ${JSON.stringify(wrongly[0])}`);
    }
  }
  return found;
}

const ofOwnPages = ['product_detail', 'product_nutrition'];

/** If all faults were temporary, the result equals the undisturbed one row by row, and a calm night is complete. */
async function unlikeUndisturbed(
  site: Site,
  schedule: Schedule,
  { dump }: Undisturbed,
  runs: readonly PublishedRun[],
): Promise<string[]> {
  const found = runs
    .filter((run) => {
      const isCalm = schedule.nights[nightOf(schedule, run.date)]?.faults.length === 0;
      return run.verdict !== 'complete' && !leavesOut(run) && (isCalm || schedule.isUndisturbedInTheEnd);
    })
    .map(({ region, date, verdict, reasons }) => `${region} ${date} is ${verdict}: ${reasons.slice(0, 3).join('; ')}`);
  if (!schedule.isUndisturbedInTheEnd) return found;
  // Own pages are chosen before a repair finds more products: a night's limit then leaves others to the next night.
  const isRepaired = (await site.db.query('select from ops.category_crawl where repairs > 0 limit 1')).rowCount === 1;
  for (const [table, rows] of Object.entries(await businessDump(site.db))) {
    const should = dump[table] ?? [];
    if (rows.join('\n') === should.join('\n') || (isRepaired && ofOwnPages.includes(table))) continue;
    const known = new Set(should);
    const strange = rows.find((row) => !known.has(row)) ?? should.find((row) => !rows.includes(row));
    found.push(`${table} has ${rows.length} rows, undisturbed ${should.length}; they differ, e.g. ${strange}`);
  }
  return found;
}

/** Requests that are counted by one statement at most. */
const maxGroup = 64;

/** The counted requests equal the upstream's, except for those in flight when a process or connection died. */
async function miscounted(site: Site, schedule: Schedule, nights: readonly PlayedNight[]): Promise<string[]> {
  const [spend] = await rowsOf<{ sent: number; settled: number; lost: number }>(
    site.db,
    `select coalesce(sum(sent), 0)::int as sent,
       coalesce(sum(failed + aborted), 0)::int as lost,
       coalesce(sum(ok + failed + refused + rate_limited + quota + denied + aborted), 0)::int as settled
       from ops.spend`,
  );
  const { sent, settled, lost } = spend!;
  const { total } = site.simulator.log();
  const fired = nights.flatMap((night) => night.fired);
  const unknown = sent - settled;
  const killed = fired.filter(
    (kind) => kind.startsWith('kill') || kind === 'stop crawl' || kind === 'end crawl',
  ).length;
  // The answer to a count may be lost with its connection: it is then written again, or what it let through is unknown.
  const cuts = schedule.nights
    .flatMap(({ mishaps }) => mishaps)
    .filter((mishap) => 'link' in mishap && mishap.link === 'database').length;
  const cutOff = cuts > 0;
  const twice = cuts * maxGroup;
  const found: string[] = [];
  // What a killed process had reserved counts against the limits, which the prover of spend checks.
  if (total > sent && killed === 0 && !cutOff) found.push(`the upstream saw ${total} requests, we count ${sent}`);
  if (sent - total > unknown + lost + twice)
    found.push(`we count ${sent} requests as sent, the upstream saw ${total}; ${unknown} are unknown, ${lost} lost`);
  if (unknown > 0 && killed === 0 && !cutOff)
    found.push(`${unknown} requests have no outcome although no process was killed`);
  return found;
}

/** After a kill, only requests in flight or not yet stored are repeated, for two processes at most. */
function tooDear(schedule: Schedule, nights: readonly PlayedNight[], respent: number): string[] {
  const hasFaults = schedule.nights.some(({ faults, archiveBytes }) => faults.length > 0 || archiveBytes !== null);
  if (hasFaults || !schedule.isUndisturbedInTheEnd) return [];
  const fired = nights.reduce((sum, night) => sum + night.fired.length, 0);
  const most = fired * inFlight * 2;
  return respent > most ? [`${respent} requests more than undisturbed, after ${fired} mishaps`] : [];
}

async function leaked(site: Site, nights: readonly PlayedNight[]): Promise<string[]> {
  const places = [
    ...(await leaksInDatabase(site.databaseUrl)),
    ...(site.redis ? await leaksInRedis(site.redis.url) : []),
    ...(await leaksInFiles(site.home)),
    ...(nights.some(({ said }) => said.includes(sentinelKey)) ? ['what commands said'] : []),
  ];
  const { visits } = site.elsewhere;
  return [
    ...places.map((place) => `the key is in ${place}`),
    ...(visits.length > 0 ? [`requests followed a redirect: ${JSON.stringify(visits)}`] : []),
  ];
}

/** A command whose queue's schema is dropped under its hands may say so before it ends. */
const queueIsGone = /SchemaMigrationRequired|could not open relation|add_job|bullmq/;

function unexpected(nights: readonly PlayedNight[]): string[] {
  return nights.flatMap(({ bugs, fired }) =>
    bugs.filter((line) => !(fired.includes('lose queue') && queueIsGone.test(line))),
  );
}

function nightOf({ catalogue }: Schedule, date: string): number {
  return catalogue.nights.findIndex((night) => dateOf(night) === date);
}
