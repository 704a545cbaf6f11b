import { expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

const book = useInstallation();
const { run } = useCliHome({ book });

test('doctor --data finds no violation after a night, and finds one that was introduced', async () => {
  await run(['--now', '2026-03-01', 'crawl', '--region', 'uk', '--items', '120', '--max-details', '3']);
  const well = await run(['doctor', '--data']);
  expect(well.stdout).toMatch(/^ok +data +all \d+ invariants hold$/m);
  expect(well.code).toBe(0);

  await book.db.query(`update catalog.product_current set unit_price = -1 where product_key = 1`);
  const ill = await run(['doctor', '--data', '--json']);
  const { healthy, findings } = JSON.parse(ill.stdout) as { healthy: boolean; findings: Record<string, string>[] };
  expect(healthy).toBe(false);
  expect(findings).toMatchObject([
    { level: 'error', about: 'data', says: expect.stringMatching(/whole, positive pence.*"unit_price":/) },
  ]);
  expect(ill.code).toBe(1);
});
