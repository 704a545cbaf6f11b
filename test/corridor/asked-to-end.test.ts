import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const date = '2026-03-01';
const begun = new Date(`${date}T23:59:30Z`);

describe('a night that is stopped shortly before midnight', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  let observedAt: Date;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 400, superDepartments: 8, date });
  });
  afterAll(() => simulator.close());

  test('stopping a night ends hanging requests within the grace period, without charging attempts', async () => {
    simulator.change({ faults: [{ kind: 'hang', endpoint: 'category-page', after: 15 }] });
    const ending = new AbortController();
    const night = crawl(begun, ending.signal);
    const ended = expect(night).rejects.toThrow('enough');
    await expect.poll(() => hanging(), { timeout: 60_000 }).toBeGreaterThan(0);
    ending.abort(new Error('enough'));
    await ended;
    const tried = await rowsOf(
      installation.db,
      `select 1 from ops.category_page where status = 'planned' and (attempts > 0 or worker_id is not null)`,
    );
    expect(tried).toEqual([]);
    [{ observedAt }] = (await rowsOf<{ observedAt: Date }>(
      installation.db,
      'select observed_at as "observedAt" from ops.run',
    )) as [{ observedAt: Date }];
  });

  test('an hour later the night continues under its own date without repeated requests', async () => {
    const before = paths();
    const unread = hanging();
    simulator.change({ faults: [] });
    const [run] = await crawl(new Date(begun.getTime() + 3_600_000));
    expect(run).toMatchObject({ snapshotDate: date, status: 'published', verdict: 'complete' });
    expect(run!.observedAt).toEqual(observedAt);
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    const again = paths()
      .slice(before.length)
      .filter((path) => before.includes(path));
    expect(again.length).toBeLessThanOrEqual(unread);
  });

  const crawl = (now: Date, signal?: AbortSignal) =>
    crawlNight({
      installation,
      upstream: simulator.url,
      now,
      regions: ['uk'],
      // By itself no request ends before the test would have failed.
      env: { REQUEST_TIMEOUT: '600' },
      ...(signal ? { signal } : {}),
    });
  const paths = () => simulator.log({ full: true }).requests!.map(({ path }) => path);
  const hanging = () => simulator.state().faults[0]?.fired ?? 0;
});
