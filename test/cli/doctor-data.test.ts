import pg from 'pg';
import { expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { useHousehold } from './pricebook.ts';

const { run } = useHousehold({ book: useInstallation() });

test('doctor --data finds no violation after a night, and finds one that was introduced', async () => {
  await run(['--now', '2026-03-01', 'crawl', '--region', 'uk', '--items', '120', '--max-details', '3']);
  const well = await run(['doctor', '--data']);
  expect(well.stdout).toMatch(/^ok +data +all \d+ invariants hold\n$/);
  expect(well.code).toBe(0);

  await execute(`update catalog.product_current set unit_price = -1 where product_key = 1`);
  const ill = await run(['doctor', '--data', '--json']);
  const { healthy, findings } = JSON.parse(ill.stdout) as { healthy: boolean; findings: Record<string, string>[] };
  expect(healthy).toBe(false);
  expect(findings).toMatchObject([
    { level: 'error', about: 'catalogue', says: expect.stringMatching(/whole, positive pence.*"unit_price":/) },
  ]);
  expect(ill.code).toBe(1);
});

async function execute(statement: string): Promise<void> {
  const url = await run(['config', '--database-url', '--owner']);
  const client = new pg.Client({ connectionString: url.stdout.trim() });
  await client.connect();
  await client.query(statement);
  await client.end();
}
