import type { Run } from '../crawl/run/runs.ts';
import type { Status } from '../questions/status.ts';

/** JSON of `pricebook status --json` and `/api/status`. */
export const statusJson = ({ regions, ...status }: Status) => ({
  version: 2,
  ...status,
  regions: regions.map(({ open, lastNight, held, ...region }) => ({
    ...region,
    open: open && { ...runJson(open.run), progress: open.progress },
    lastNight: lastNight && runJson(lastNight),
    held: held && runJson(held),
  })),
});

export function runJson(run: Run) {
  const { runId, region, snapshotDate, observedAt, status, phase, verdict, productsListed, productsAvailable } = run;
  const { requestsSpent, cost, origin, upstream, startedAt, finishedAt, stop } = run;
  return {
    ...{ runId, region, snapshotDate, observedAt, status, phase, certificate: verdict },
    ...{ productsListed, productsAvailable, requestsSpent, cost, origin, upstream, startedAt, finishedAt },
    pausedFor: stop?.detail ?? null,
    pausedUntil: stop?.until ?? null,
  };
}

/** The same value with names as in the database: `runId` becomes `run_id`. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snake(name), snakeCased(each)]));
}
