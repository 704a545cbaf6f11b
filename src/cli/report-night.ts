import { describeCost } from '../crawl/ledger/run-cost.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { readFindings } from '../crawl/status/certificates.ts';
import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Console } from './console.ts';
import { count, duration } from './output/words.ts';

const reasonsShown = 5;

/** Prints the result of a run to stdout, and reasons to stderr if it is not complete. */
export async function reportNight(db: Database, run: Run, console: Console): Promise<void> {
  await console.data(`${summaryLine(run)}\n`);
  if (run.verdict === 'complete') return;
  const reasons = await readReasons(db, run.runId);
  for (const reason of reasons.slice(0, reasonsShown)) console.say(`  ${reason}`);
  if (reasons.length > reasonsShown) console.say(`  …and ${count(reasons.length - reasonsShown)} more`);
}

/** `uk 2026-03-01: complete, 19,902 products listed (19,290 available), 1,001 requests, 15 s`. */
export function summaryLine(run: Run): string {
  const { region, snapshotDate, verdict, status, productsListed, productsAvailable, requestsSpent } = run;
  const listed =
    productsListed === null
      ? []
      : [`${count(productsListed)} products listed (${count(productsAvailable ?? 0)} available)`];
  const requests = requestsSpent === null ? [] : [`${count(requestsSpent)} requests`];
  const cost = run.cost === null ? [] : [describeCost(run.cost)];
  const took = run.finishedAt ? [duration((run.finishedAt.getTime() - run.startedAt.getTime()) / 1_000)] : [];
  const result = verdict?.replaceAll('_', ' ') ?? status;
  return `${region} ${snapshotDate}: ${[result, ...listed, ...requests, ...cost, ...took].join(', ')}`;
}

async function readReasons(db: Database, runId: number): Promise<readonly string[]> {
  const [row] = await rowsOf<{ reasons: string[] }>(db, 'select reasons from ops.certificate where run_id = $1', [
    runId,
  ]);
  const findings = await readFindings(db, runId);
  const blocks = findings.filter(({ severity }) => severity === 'block');
  return [...blocks.map(({ message }) => `held back: ${message}`), ...(row?.reasons ?? [])];
}
