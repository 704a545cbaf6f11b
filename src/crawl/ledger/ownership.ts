import type { Clock } from '../../base/clock.ts';
import { localDate } from '../../base/local-date.ts';
import {
  type ClockKind,
  describeUpstream,
  describeWorld,
  regionCodes,
  regions,
  type World,
} from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { type ListingMove, readMoves, worldAfter } from './listing-moves.ts';
import type { Run, Runs } from './runs.ts';

/** The upstream and the clock of a process. */
export interface Identity {
  /** The upstream as configured; if its listing has moved, requests go to the new address. */
  readonly world: World;
  readonly clock: Clock;
}

interface Needs {
  readonly db: Database;
  readonly runs: Pick<Runs, 'find'>;
  /** Moves of listings at process start. */
  readonly moves?: readonly ListingMove[];
  readonly log: { warn(fields: object, message: string): void };
  /** Called whenever work of a run is accepted, before any request is sent for it. */
  readonly onTake?: (run: Run) => void;
}

/**
 * Decides which runs a process works on: those opened against its upstream and on its kind of clock. All work is
 * checked here first, so that no page of another world or date reaches a run. Other runs stay in the ledger for their
 * own processes.
 */
export function createOwnership({ db, runs, log, onTake, moves: movesBefore = [] }: Needs, { world, clock }: Identity) {
  const kind: ClockKind = clock.playedFrom ? 'played' : 'machine';
  const leftAlone = new Set<number>();
  let moves = movesBefore;

  /** A played clock owns the dates from its start to its current time. */
  const isOnOurClock = ({ region, snapshotDate }: Run): boolean => {
    if (!clock.playedFrom) return true;
    const dateOf = (instant: Date) => localDate(instant, regions[region].timeZone);
    return dateOf(clock.playedFrom) <= snapshotDate && snapshotDate <= dateOf(clock.now());
  };

  /** The configured address counts, too: a run may have been opened just before its listing moved. */
  const isUpstreamOurs = ({ upstream, snapshotDate }: Run): boolean =>
    upstream === null ||
    [world, worldAfter(moves, world)].some((each) => describeUpstream(each, snapshotDate) === upstream);

  const isOursNow = (run: Run): boolean =>
    isUpstreamOurs(run) && (run.clock === null || run.clock === kind) && isOnOurClock(run);

  /** Reloads the moves before it rejects a run, because its listing may have moved since. */
  const isOurs = async (run: Run): Promise<boolean> => {
    if (isOursNow(run)) return true;
    if (world.kind !== 'live' || isUpstreamOurs(run)) return false;
    moves = await readMoves(db);
    return isOursNow(run);
  };

  return {
    isOurs,

    /** Whether the run has our upstream but a clock that was set to an earlier night. */
    isPlayedEarlier: (run: Run): boolean =>
      kind === 'played' &&
      run.clock === kind &&
      isUpstreamOurs(run) &&
      !isOnOurClock(run) &&
      run.snapshotDate < localDate(clock.now(), regions[run.region].timeZone),

    /** Upstream and clock for a new run of that date, with the current address of its listing. */
    async identityOn(snapshotDate: string) {
      if (world.kind === 'live') moves = await readMoves(db);
      return { upstream: describeUpstream(worldAfter(moves, world), snapshotDate), clock: kind };
    },

    /**
     * Returns the run if it is open and ours; null otherwise. Every job checks this first. A run of another upstream or
     * clock is logged once. The run may be missing if the database was restored from a backup older than the queue.
     */
    async take(runId: number): Promise<Run | null> {
      const run = await runs.find(runId);
      if (run?.status !== 'open') return null;
      if (!(await isOurs(run))) {
        this.leaveAlone(run);
        return null;
      }
      onTake?.(run);
      return run;
    },

    /** Logs, once per run, that it belongs to another upstream or clock. */
    leaveAlone(run: Run): void {
      if (leftAlone.has(run.runId)) return;
      leftAlone.add(run.runId);
      const { runId, region, snapshotDate: night, upstream, clock: clockOfRun } = run;
      log.warn(
        { run: runId, region, night, upstream, clock: clockOfRun, asks: describeWorld(world), by: kind },
        'a run of another upstream or clock is skipped',
      );
    },

    /** Describes the process; processes with the same text share queues. */
    words: identityInWords({ world, clock }, moves),
  };
}

/** Describes a process's upstream and clock; processes with the same text share queues. */
export function identityInWords({ world, clock }: Identity, moves: readonly ListingMove[]): string {
  return [
    describeWorld(worldAfter(moves, world)),
    clock.playedFrom ? 'played' : 'machine',
    // A played clock is identified by its start date, or by both dates if the regions differ.
    ...new Set(
      clock.playedFrom ? regionCodes.map((region) => localDate(clock.playedFrom!, regions[region].timeZone)) : [],
    ),
  ].join(', ');
}

export type Ownership = ReturnType<typeof createOwnership>;

/** Explains to the user how to continue or abandon a run of another upstream or clock. */
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
