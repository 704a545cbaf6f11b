import type { RegionCode } from '../../base/model/index.ts';
import type { Cost } from '../../crawl/ledger/run-cost.ts';
import type { Run } from '../../crawl/ledger/runs.ts';
import type { Progress } from '../../crawl/status/progress.ts';

/** What progress means to somebody who waits. */
export interface Reading {
  readonly region: RegionCode;
  readonly phase: Run['phase'];
  /** 0 to 1, of what is planned so far. */
  readonly share: number;
  readonly productsRead: number;
  readonly productsPerSecond: number;
  readonly requestsPerSecond: number;
  /** What its requests cost so far; null: not known. */
  readonly cost: Cost | null;
  /** Null while it cannot be told. */
  readonly secondsLeft: number | null;
}

/** Rates are those of the last so many seconds: long enough to be calm, short enough to be true. */
const windowMs = 10_000;
/** Products on a page (payloads.md, section 2.2), to guess how many details may follow. */
const productsPerPage = 24;

/**
 * Turns what the ledger says of runs, look by look, into rates and time left. Pure: the time comes in, in milliseconds.
 */
export function createMeter() {
  const looks = new Map<number, { atMs: number; progress: Progress }[]>();

  return {
    read(run: Run, progress: Progress, atMs: number): Reading {
      const seen = looks.get(run.runId) ?? [];
      looks.set(run.runId, seen);
      seen.push({ atMs, progress });
      while (seen.length > 2 && atMs - seen[0]!.atMs > windowMs) seen.shift();

      const first = seen[0]!;
      const seconds = (atMs - first.atMs) / 1_000;
      const perSecond = (of: (progress: Progress) => number) =>
        seconds > 0 ? Math.max(0, (of(progress) - of(first.progress)) / seconds) : 0;

      const planned = progress.pagesPlanned + detailsExpected(run, progress);
      const done = unitsDone(progress);
      const isOver = run.phase === 'over' || run.status !== 'open';
      const unitsPerSecond = perSecond(unitsDone);
      return {
        region: run.region,
        phase: run.phase,
        share: isOver ? 1 : planned === 0 ? 0 : Math.min(1, done / planned),
        productsRead: progress.productsRead,
        productsPerSecond: perSecond(({ productsRead }) => productsRead),
        requestsPerSecond: perSecond(({ requests }) => requests),
        cost: progress.cost,
        secondsLeft: isOver ? 0 : unitsPerSecond > 0 ? Math.max(0, planned - done) / unitsPerSecond : null,
      };
    },
  };
}

function unitsDone({ pagesDone, pagesFailed, detailsDone }: Progress): number {
  return pagesDone + pagesFailed + detailsDone;
}

/** Before details are planned: as many as may be asked for. */
function detailsExpected(run: Run, { pagesPlanned, detailsPlanned }: Progress): number {
  const isPlanned = run.phase !== 'taxonomy' && run.phase !== 'listing';
  return isPlanned ? detailsPlanned : Math.min(run.maxDetails, pagesPlanned * productsPerPage);
}
