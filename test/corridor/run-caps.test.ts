import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const installation = useInstallation();
let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 100, superDepartments: 3, date: '2026-03-01' });
});
afterAll(() => simulator?.close());

async function crawl(date: string, caps: string, faults: readonly FaultRule[] = []) {
  simulator.change({ date, faults: [...faults] });
  const [run] = await crawlDirectly({
    installation,
    upstream: simulator.url,
    date,
    regions: ['uk'],
    maxDetails: 10,
    env: { RUN_CAPS: caps },
  });
  const [details] = await rowsOf<{ sent: number; done: number; deferred: number }>(
    installation.db,
    `select (
       select coalesce(sum(sent), 0)::int
       from ops.spend
       where run_id = $1 and endpoint = 'uk-product-details') as sent,
       (count(*) filter (where status = 'done'))::int as done,
       (count(*) filter (where status = 'failed' and outcome = 'deferred' and error like '%RUN_CAPS%'))::int as deferred
     from ops.detail_fetch where run_id = $1`,
    [run!.runId],
  );
  return { verdict: run!.verdict, ...details! };
}

test('a run plans no more details than its caps allow', async () => {
  expect(await crawl('2026-03-01', 'details=4')).toEqual({ verdict: 'complete', sent: 4, done: 4, deferred: 0 });
});

test('if repeated requests use up the cap, remaining details are deferred and the night is certified', async () => {
  const refused: FaultRule[] = [{ kind: 'html503', endpoint: 'product-details' }];
  const { verdict, sent, done, deferred } = await crawl('2026-03-02', 'details=6', refused);
  expect({ verdict, sent, done }).toEqual({ verdict: 'complete', sent: 6, done: 0 });
  expect(deferred).toBeGreaterThan(0);
  expect(await brokenInvariants(installation.db)).toEqual([]);
});

test('the next night requests the deferred details', async () => {
  expect(await crawl('2026-03-03', 'total=1000')).toMatchObject({ verdict: 'complete', done: 10, deferred: 0 });
});
