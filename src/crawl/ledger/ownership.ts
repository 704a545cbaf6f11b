import type { Clock } from '../../base/clock.ts';
import {
  type ClockKind,
  describeUpstream,
  describeWorld,
  regionCodes,
  regions,
  type World,
} from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { countOf } from '../../db/rows.ts';
import { localDate } from '../../source/normalise/promotion-date.ts';
import { firstUpstream, type ListingMove, readMoves, worldAfter } from './listing-moves.ts';
import type { Run, Runs } from './runs.ts';

/** What a process asks, and whose time it lives by. */
export interface Identity {
  /** As it is configured; where that has moved, it asks there. */
  readonly world: World;
  readonly clock: Clock;
}

interface Needs {
  readonly db: Database;
  readonly runs: Pick<Runs, 'find'>;
  /** Moves of listings, as they were when the process began. */
  readonly moves?: readonly ListingMove[];
  readonly log: { warn(fields: object, message: string): void };
  /** Called whenever a run's work is taken, before anything is asked for it. */
  readonly onTake?: (run: Run) => void;
}

/**
 * Decides which runs a process works on: those opened against the upstream it asks, on a clock of its kind. Everything
 * that takes work asks here first, so a page of another world or another day never reaches a run. A run of somebody
 * else stays in the ledger for whoever it belongs to.
 */
export function createOwnership({ db, runs, log, onTake, moves: movesBefore = [] }: Needs, { world, clock }: Identity) {
  const kind: ClockKind = clock.playedFrom ? 'played' : 'machine';
  const leftAlone = new Set<number>();
  let moves = movesBefore;

  /** A played clock has the dates from where it was set to where it is by now. */
  const isOnOurClock = ({ region, snapshotDate }: Run): boolean => {
    if (!clock.playedFrom) return true;
    const dateOf = (instant: Date) => localDate(instant, regions[region].timeZone);
    return dateOf(clock.playedFrom) <= snapshotDate && snapshotDate <= dateOf(clock.now());
  };

  const isUpstreamOurs = ({ upstream, snapshotDate }: Run): boolean =>
    upstream === null || firstUpstream(moves, upstream) === firstUpstream(moves, describeUpstream(world, snapshotDate));

  const isOursNow = (run: Run): boolean =>
    isUpstreamOurs(run) && (run.clock === null || run.clock === kind) && isOnOurClock(run);

  /** A run of a listing that has moved since is ours all the same: what is not ours by what we know is looked up. */
  const isOurs = async (run: Run): Promise<boolean> => {
    if (isOursNow(run)) return true;
    if (isUpstreamOurs(run)) return false;
    moves = await readMoves(db);
    return isOursNow(run);
  };

  return {
    isOurs,

    /** Whether the run is of our upstream, on a clock that was set to an earlier night than ours was. */
    isPlayedEarlier: (run: Run): boolean =>
      kind === 'played' &&
      run.clock === kind &&
      isUpstreamOurs(run) &&
      !isOnOurClock(run) &&
      run.snapshotDate < localDate(clock.now(), regions[run.region].timeZone),

    /** What a new run of that date is opened with: where its listing is asked now. */
    async identityOn(snapshotDate: string) {
      if (world.kind === 'live') moves = await readMoves(db);
      return { upstream: describeUpstream(worldAfter(moves, world), snapshotDate), clock: kind };
    },

    /**
     * The run, when it is open and ours: the one gate in front of all work on a run. Null otherwise; a run of somebody
     * else is told of once. A run from before runs knew their upstream belongs to whoever takes it first. A queue that
     * is newer than a database from a backup has work of runs that are not there.
     */
    async take(runId: number): Promise<Run | null> {
      const run = await runs.find(runId);
      if (run?.status !== 'open') return null;
      if (!(await isOurs(run))) {
        this.leaveAlone(run);
        return null;
      }
      if (run.upstream === null && !(await adopt(run))) return this.take(runId);
      onTake?.(run);
      return run;
    },

    /** Says, once a run, that it waits for somebody else. */
    leaveAlone(run: Run): void {
      if (leftAlone.has(run.runId)) return;
      leftAlone.add(run.runId);
      const { runId, region, snapshotDate: night, upstream, clock: clockOfRun } = run;
      log.warn(
        { run: runId, region, night, upstream, clock: clockOfRun, asks: describeWorld(world), by: kind },
        'a run of another upstream or clock is left alone',
      );
    },

    /** Of the process, in words: whose queues it shares. */
    words: identityInWords({ world, clock }, moves),
  };

  async function adopt({ runId, snapshotDate }: Run): Promise<boolean> {
    const adopted = await countOf(
      db,
      `update ops.run set upstream = $2, clock = $3 where run_id = $1 and upstream is null and status = 'open'`,
      [runId, describeUpstream(worldAfter(moves, world), snapshotDate), kind],
    );
    return adopted > 0;
  }
}

/** Whose queues a process shares, in words. */
export function identityInWords({ world, clock }: Identity, moves: readonly ListingMove[]): string {
  return [
    firstUpstream(moves, describeWorld(world)),
    clock.playedFrom ? 'played' : 'machine',
    // A played clock is known by the date it was set to; where that differs between regions, by both.
    ...new Set(
      clock.playedFrom ? regionCodes.map((region) => localDate(clock.playedFrom!, regions[region].timeZone)) : [],
    ),
  ].join(', ');
}

export type Ownership = ReturnType<typeof createOwnership>;

/** How the run of another upstream or clock is continued or given up, for a person who stands before it. */
export function describeForeignRun({ runId, region, snapshotDate, upstream, clock }: Run): string {
  const simulator = /^simulator seed=\d+ items=(\d+)/.exec(upstream ?? '');
  const listing = /^grocery at (\S+), host (\S+)$/.exec(upstream ?? '');
  const command = [
    ...(listing ? [`GROCERY_BASE_URL=${listing[1]} GROCERY_HOST=${listing[2]}`] : []),
    'pricebook',
    ...(clock === 'played' ? [`--now ${snapshotDate}`] : []),
    `crawl --region ${region}`,
    ...(simulator ? [`--items ${simulator[1]}`] : []),
  ].join(' ');
  return (
    `Run ${runId} of ${region} (${snapshotDate}) is open and belongs to ${upstream ?? 'an unknown upstream'}, on ` +
    `${clock === 'played' ? `a clock set by --now to ${snapshotDate}` : "the machine's clock"}. ` +
    `Continue it with \`${command}\`, or give it up with \`pricebook crawl --abandon ${runId}\`.`
  );
}
