import type { RegionCode } from '../../base/model/index.ts';
import type { Cost } from '../../crawl/ledger/run-cost.ts';
import type { Run } from '../../crawl/ledger/runs.ts';
import type { Progress } from '../../crawl/status/progress.ts';

/** Progress of a run with rates and remaining time. */
export interface Reading {
  readonly region: RegionCode;
  readonly phase: Run['phase'];
  /** Completed share of the units planned so far, 0 to 1. */
  readonly share: number;
  readonly productsRead: number;
  readonly productsPerSecond: number;
  readonly requestsPerSecond: number;
  /** Cost of the requests so far; null: unknown. */
  readonly cost: Cost | null;
  /** Null: unknown. */
  readonly secondsLeft: number | null;
}

/** Time window for rates, in milliseconds. */
const windowMs = 10_000;
/** Products per page (payloads.md, section 2.2), used to estimate the number of details. */
const productsPerPage = 24;

/**
 * Computes rates and remaining time from successive readings of the ledger. Pure: `atMs` is passed in, in milliseconds.
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

/** Before details are planned, the maximum number that may be requested. */
function detailsExpected(run: Run, { pagesPlanned, detailsPlanned }: Progress): number {
  const isPlanned = run.phase !== 'taxonomy' && run.phase !== 'categories';
  return isPlanned ? detailsPlanned : Math.min(run.maxDetails, pagesPlanned * productsPerPage);
}
