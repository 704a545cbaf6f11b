import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { openOver } from '../explorer/explorer-book.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useFolder } from '../support/folder.ts';
import { leaksInDatabase, leaksInFiles, leaksInRedis } from '../support/leaks.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { createEchoingUpstream, type EchoingUpstream } from './echoing-upstream.ts';

describeOnEachQueue('the subscriber’s key, with an upstream that repeats it everywhere', (installation, isChosen) => {
  const home = useFolder('sentinel');
  const cli = useCliHome();
  let simulator: Simulator;
  let upstream: EchoingUpstream;

  beforeAll(async () => {
    simulator = await createSimulator({ items: 60, superDepartments: 3 });
    upstream = await createEchoingUpstream(simulator.url);
    await crawlNight({ installation, upstream: upstream.url, now: nightOf('2026-03-01'), maxDetails: 4, home });
    for (const manner of ['redirect', 'denied'] as const) {
      upstream.manner = manner;
      const night = nightOf(manner === 'redirect' ? '2026-03-02' : '2026-03-03');
      await crawlNight({ installation, upstream: upstream.url, now: night, home }).catch((error: Error) => {
        expect(`${error.message}${error.stack}`).not.toContain(sentinelKey);
      });
    }
  });
  afterAll(async () => {
    await upstream?.close();
    await simulator?.close();
  });

  test('the key is sent with every request', () => {
    expect(upstream.keys.length).toBeGreaterThan(20);
    expect(new Set(upstream.keys)).toEqual(new Set([sentinelKey]));
  });

  test('a key that comes back in titles, rejected elements and reasons is masked', async () => {
    const [found] = await rowsOf<Record<string, number>>(
      installation.db,
      `select (select count(*)::int from catalog.product where title like '*****%') as titles,
         (select count(*)::int from ops.quarantine where value like '%*****%') as elements,
         (select count(*)::int from ops.stop where detail ~ '\\[key\\]|\\*\\*\\*') as reasons`,
    );
    expect(Object.entries(found!).filter(([, count]) => count === 0)).toEqual([]);
  });

  test('the key is in no table of the database, and in no key of the queue', async () => {
    expect(await leaksInDatabase(installation.databaseUrl)).toEqual([]);
    const redis = installation.queue?.['REDIS_URL'];
    expect(redis ? await leaksInRedis(redis) : []).toEqual([]);
  });

  // Neither the archive nor the output depends on the queue.
  if (!isChosen) return;

  test('the key is in no archived payload', async () => {
    expect(await leaksInFiles(home, '"success"')).not.toEqual([]);
    expect(await leaksInFiles(home)).toEqual([]);
  });

  test('the key is on no page and in no metrics', async () => {
    const explorer = await openOver(installation.db);
    for (const path of ['/', '/api/status', '/metrics', '/healthz', '/readyz']) {
      const response = await fetch(explorer.url + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(`${await response.text()}${JSON.stringify([...response.headers])}`).not.toContain(sentinelKey);
    }
    await explorer.close();
  });

  test('no command prints the key, however much it logs', async () => {
    const env = {
      DATABASE_URL: installation.databaseUrl,
      ...installation.queue,
      GROCERY_BASE_URL: upstream.url,
      GROCERY_KEY: sentinelKey,
      LOG_LEVEL: 'trace',
    };
    const commands = [
      'config',
      'doctor --ask',
      'status --json',
      'asof --region uk --date 2026-03-01 --csv',
      'crawl --region uk',
    ];
    const ended = await Promise.all(commands.map((command) => cli.run(command.split(' '), env)));
    for (const [i, { stdout, stderr }] of ended.entries()) {
      expect(`${stdout}${stderr}`, commands[i]).not.toBe('');
      expect(`${stdout}${stderr}`, commands[i]).not.toContain(sentinelKey);
    }
    expect(ended[3]).toMatchObject({ code: 0, stdout: expect.stringMatching(/,"?\*{16,} /) });
  });
});
