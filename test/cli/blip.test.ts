import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { failingFirst } from '../support/failing-first.ts';
import { useHousehold } from './pricebook.ts';

const household = useHousehold();
const database = useDatabase({ from: 'empty', isForEachTest: true });

test('a night whose first requests fail for half a minute waits and ends complete', async () => {
  const simulator = await createSimulator({ items: 200, date: '2026-03-01' });
  const upstream = await failingFirst(simulator.url, [
    { status: 503, retryAfter: 3 },
    { status: 503, retryAfter: 4, asDate: true },
    { status: 503 },
    { status: 502 },
  ]);
  try {
    const env = { DATABASE_URL: database.url, GROCERY_BASE_URL: upstream.url };
    const args = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];
    const { code, stdout, stderr } = await household.start(args, env).ended;
    expect(stderr.match(/the upstream is unavailable; waits, tries again at/g)).toHaveLength(1);
    expect(stdout).toMatch(/^uk 2026-03-01: complete/);
    expect(code).toBe(0);
    expect(upstream.tooEarly()).toBe(0);
  } finally {
    upstream.close();
    await simulator.close();
  }
});
