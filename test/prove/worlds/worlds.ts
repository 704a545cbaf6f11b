import { setTimeout as sleep } from 'node:timers/promises';
import { OtherWorld } from '../../../src/base/errors.ts';
import { type ClockKind, describeUpstream, type RegionCode, regionCodes } from '../../../src/base/model/index.ts';
import type { Database } from '../../../src/db/client.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../../src/simulator/index.ts';
import { type Chance, createChance } from '../../support/chance.ts';
import { crawlNight, type Installation, nightOf } from '../../support/crawl.ts';
import { disagreements } from '../../support/truth.ts';
import type { Ground } from '../ground.ts';
import type { Profile, Trial } from '../profile.ts';
import { openSite } from '../site.ts';

/** What two parties have that differs. */
const meetings = ['two upstreams', 'two --now', 'machine and --now', 'two worlds'] as const;
type Meeting = (typeof meetings)[number];

/**
 * Parties of different upstreams, clocks and catalogues crawl into one database, in an order and with interruptions
 * that the seed decides. The first one decides of which world it is. Every published row must be the truth of the
 * upstream that its run names.
 */
export const worlds: Profile = {
  count: 50,
  parallel: 2,
  variants: [],
  begin: (ground) => (seed) => playMeeting(ground, seed),
};

interface Party {
  /** Base URL; null: the simulator within the process. */
  readonly upstream: Simulator | null;
  readonly invented: { readonly seed: number; readonly items: number };
  readonly date: string;
  readonly clock: ClockKind;
}

const items = 40;
const day = '2026-03-01';
const nextDay = '2026-03-02';
const faults = [{ kind: 'slow', ms: 10 } as const];
/** Repetitions of the same command; the last ones are not interrupted. */
const maxTries = 40;

async function playMeeting(ground: Ground, seed: number): Promise<Trial> {
  const chance = createChance(seed);
  const meeting = meetings[seed % meetings.length]!;
  const site = await openSite(ground, { upstream: { items, seed: 31, date: day, faults } });
  const other = await createSimulator({ items, seed: 32, date: day, faults });
  const attempts = { refused: 0, stopped: 0 };
  try {
    const parties = partiesOf(meeting, [site.simulator, other]);
    const installation = { databaseUrl: site.databaseUrl };
    await Promise.all(parties.map((party) => play(installation, party, chance, attempts)));
    const { nights, wrongRows } = await compare(site.db, parties);
    return { seed, kind: meeting, broken: wrongRows, counts: { published: nights, ...attempts } };
  } finally {
    await other.close();
    await site.close();
  }
}

function partiesOf(meeting: Meeting, [one, other]: [Simulator, Simulator]): Party[] {
  const invented = { seed: 1, items };
  const inProcess = { upstream: null, invented, date: day };
  switch (meeting) {
    case 'two upstreams':
      return [one, other].map((upstream) => ({ upstream, invented, date: day, clock: 'machine' }));
    case 'two --now':
      return [day, nextDay].map((date) => ({ ...inProcess, date, clock: 'played' }));
    case 'machine and --now':
      return [
        { ...inProcess, clock: 'machine' },
        { ...inProcess, date: nextDay, clock: 'played' },
      ];
    case 'two worlds':
      return [
        { ...inProcess, clock: 'machine' },
        { ...inProcess, invented: { seed: 1, items: items + 20 }, clock: 'machine' },
      ];
  }
}

/** The same command until its nights are over, or can never be: the book is of another world, or further on. */
async function play(
  installation: Omit<Installation, 'db'>,
  { upstream, invented, date, clock }: Party,
  chance: Chance,
  counts: { refused: number; stopped: number },
): Promise<void> {
  await sleep(chance.whole(0, 800));
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const stop = new AbortController();
    const isStopped = tries < 6 && chance.happens(0.5);
    const timer = isStopped ? setTimeout(() => stop.abort(new Error('stopped')), chance.whole(100, 3_000)) : null;
    try {
      await crawlNight({
        installation,
        upstream: upstream?.url ?? null,
        now: nightOf(date),
        clock,
        regions: chance.happens(0.5) ? regionCodes : [...regionCodes].reverse(),
        signal: stop.signal,
        crawler: { simulator: { ...invented, faults } },
      });
      return;
    } catch (error) {
      if (stop.signal.aborted) counts.stopped += 1;
      else if (error instanceof OtherWorld || /back in time/.test((error as Error).message)) {
        counts.refused += 1;
        return;
      } else throw error;
    } finally {
      if (timer) clearTimeout(timer);
    }
    await sleep(chance.whole(50, 500));
  }
  throw new Error(`the night of ${date} was not over after ${maxTries} tries`);
}

/**
 * Each certified night against the upstream that its run names. A command on a clock a day ahead finds a run at work
 * idle, and ends it as partial, which it says.
 */
async function compare(db: Database, parties: readonly Party[]): Promise<{ nights: number; wrongRows: string[] }> {
  const runs = await rowsOf<{ region: RegionCode; date: string; upstream: string }>(
    db,
    `select distinct on (region, snapshot_date) region, snapshot_date as date, upstream
     from ops.run where status = 'published' and verdict <> 'partial' order by region, snapshot_date, run_id desc`,
  );
  const wrongRows: string[] = [];
  for (const { region, date, upstream } of runs) {
    const truth = await truthOf(parties, upstream, date);
    wrongRows.push(...(truth ? await disagreements(db, truth, region, date) : [`${region} ${date} names ${upstream}`]));
    if (truth && !parties.some((party) => party.upstream === truth)) await truth.close();
  }
  return { nights: runs.length, wrongRows };
}

async function truthOf(parties: readonly Party[], upstream: string, date: string): Promise<Simulator | null> {
  for (const party of parties) {
    if (party.upstream) {
      if (upstream.includes(party.upstream.url)) return party.upstream;
    } else if (describeUpstream({ kind: 'simulated', ...party.invented }, date) === upstream) {
      return createSimulator(party.invented);
    }
  }
  return null;
}
