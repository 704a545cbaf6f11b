import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const household = useHousehold();
const database = useDatabase({ from: 'empty' });

test('interrupting a crawl with many pages in flight prints one line', async () => {
  const simulator = await createSimulator({ items: 6_000, date: '2026-03-01', faults: [{ kind: 'slow', ms: 50 }] });
  try {
    const running = household.start(['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'], {
      DATABASE_URL: database.url,
      GROCERY_BASE_URL: simulator.url,
      REQUEST_CONCURRENCY: '64',
    });
    await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(60);
    running.process.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    // A progress line may be printed at that moment.
    const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('uk '));
    expect(said).toEqual(['pricebook: SIGINT received; finishing work in progress (repeat to stop at once)']);
  } finally {
    await simulator.close();
  }
});
