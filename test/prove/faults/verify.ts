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

/** Result of a schedule. */
export interface Verified {
  /** Violations, as sentences; empty if there are none. */
  readonly broken: readonly string[];
  /** Requests beyond those of the undisturbed course. */
  readonly respent: number;
  readonly verdicts: Readonly<Record<string, number>>;
}

/**
 * Requests that one process may have in flight (REQUEST_CONCURRENCY), and two groups of answers that it has not kept
 * yet (src/crawl/work-loop.ts).
 */
const inFlight = 16 + 2 * 64;

/** Holds the end of a schedule against every promise: invariants, truth, undisturbed course, counts, secrecy. */
export async function verify(
  site: Site,
  schedule: Schedule,
  nights: readonly PlayedNight[],
  undisturbed: Undisturbed,
): Promise<Verified> {
  const runs = await readRuns(site);
  const expected = undisturbed.requests.reduce((sum, requests) => sum + requests, 0);
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
  const verdicts: Record<string, number> = {};
  for (const { verdict } of runs) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  return { broken, respent, verdicts };
}

interface PublishedRun {
  readonly region: RegionCode;
  readonly date: string;
  readonly verdict: string;
  readonly reasons: readonly string[];
}

function readRuns({ db }: Site): Promise<(PublishedRun & Record<string, unknown>)[]> {
  return rowsOf(
    db,
    `select region, snapshot_date as date, r.verdict, coalesce(reasons, '{}') as reasons
     from ops.run r left join ops.certificate c using (run_id) where status = 'published' order by run_id`,
  );
}

/** A night that is certified is the truth. */
async function untrueNights(site: Site, schedule: Schedule, runs: readonly PublishedRun[]): Promise<string[]> {
  const found: string[] = [];
  for (const { region, date, verdict } of runs) {
    const isCalm = schedule.nights[nightOf(schedule, date)]?.faults.length === 0;
    if (verdict === 'partial' || !(schedule.isTruthful || isCalm)) continue;
    const { wrong, lackingListings } = await compareNight(site.db, site.simulator, region, date);
    const differing = [...wrong, ...lackingListings];
    if (differing.length > 0) {
      found.push(`${region} ${date} is ${verdict}, yet differs in ${differing.length} products: ${differing[0]}`);
    }
  }
  return found;
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
      if (wrongly.length > 0) {
        found.push(
          `${region} ${date}: ${wrongly.length} products are ${wrongly[0]!.availability} though they were there, ` +
            `e.g. ${wrongly[0]!.product_id}`,
        );
      }
    }
  }
  return found;
}

/** If all faults were temporary, the result equals the undisturbed one row by row, and a calm night is complete. */
async function unlikeUndisturbed(
  site: Site,
  schedule: Schedule,
  { dump }: Undisturbed,
  runs: readonly PublishedRun[],
): Promise<string[]> {
  const found = runs
    .filter(({ date, verdict }) => {
      const isCalm = schedule.nights[nightOf(schedule, date)]?.faults.length === 0;
      return verdict !== 'complete' && (isCalm || schedule.isUndisturbedInTheEnd);
    })
    .map(({ region, date, verdict, reasons }) => `${region} ${date} is ${verdict}: ${reasons.slice(0, 3).join('; ')}`);
  if (!schedule.isUndisturbedInTheEnd) return found;
  for (const [table, rows] of Object.entries(await businessDump(site.db))) {
    const should = dump[table] ?? [];
    if (rows.join('\n') === should.join('\n')) continue;
    const known = new Set(should);
    const strange = rows.find((row) => !known.has(row)) ?? should.find((row) => !rows.includes(row));
    found.push(`${table} has ${rows.length} rows, undisturbed ${should.length}; they differ, e.g. ${strange}`);
  }
  return found;
}

/** The counted requests equal the upstream's, except for those in flight when a process or connection died. */
async function miscounted(site: Site, schedule: Schedule, nights: readonly PlayedNight[]): Promise<string[]> {
  const [spend] = await rowsOf<{ sent: number; reserved: number; settled: number; lost: number }>(
    site.db,
    `select coalesce(sum(sent), 0)::int as sent, coalesce(sum(units), 0)::int as reserved,
       coalesce(sum(failed + aborted), 0)::int as lost,
       coalesce(sum(ok + failed + refused + rate_limited + quota + denied + aborted), 0)::int as settled
       from ops.spend`,
  );
  const { sent, reserved, settled, lost } = spend!;
  const { total } = site.simulator.log();
  const fired = nights.flatMap((night) => night.fired);
  const unknown = sent - settled;
  const killed = fired.filter(
    (kind) => kind.startsWith('kill') || kind === 'stop crawl' || kind === 'end crawl',
  ).length;
  // The answer to a count may be lost with its connection: whether the request was let through is then unknown.
  const cutOff = schedule.nights.some(({ mishaps }) =>
    mishaps.some((mishap) => 'link' in mishap && mishap.link === 'database' && mishap.kind !== 'delay'),
  );
  const found: string[] = [];
  if (total > reserved) found.push(`the upstream saw ${total} requests, we reserved ${reserved}`);
  if (sent - total > unknown + lost)
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
    ...(visits.length > 0
      ? [`${visits.length} requests followed a redirect, ${visits.filter((v) => v.broughtKey).length} with the key`]
      : []),
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
