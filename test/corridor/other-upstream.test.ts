import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OtherWorld } from '../../src/base/errors.ts';
import { settleWorld } from '../../src/crawl/world.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const date = '2026-03-01';
const nextDate = '2026-03-02';
/** A small tree: a small night mostly requests categories. */
const small = { items: 60, superDepartments: 3 };
const regions = ['uk'] as const;

const installation = useInstallation();

describe('a database of one world', () => {
  let live: Simulator;
  let moved: Simulator;
  beforeAll(async () => {
    live = await createSimulator({ ...small, seed: 3 });
    moved = await createSimulator({ ...small, seed: 3 });
  });
  afterAll(async () => {
    await live.close();
    await moved.close();
  });
  beforeEach(() => forgetEverything(installation.db));

  const crawl = (upstream: string | null, night: string, { acceptNewHost = false } = {}) => {
    for (const simulator of [live, moved]) simulator.change({ date: night });
    const crawler = { simulator: { seed: 1, ...small }, acceptNewHost };
    return crawlDirectly({ installation, upstream, date: night, regions, crawler });
  };
  const worlds = () => rowsOf(installation.db, 'select kind, seed, items, base_url, host from ops.world');

  test('a live listing is followed to another host on request', async () => {
    await crawl(live.url, date);
    await expect(crawl(moved.url, nextDate)).rejects.toThrow(/crawl --accept-new-host/);
    await expect(crawl(null, nextDate, { acceptNewHost: true })).rejects.toThrow(OtherWorld);
    expect(await crawl(moved.url, nextDate, { acceptNewHost: true })).toMatchObject([{ verdict: 'complete' }]);
    expect(await worlds()).toMatchObject([{ kind: 'live', base_url: moved.url, host: 'grocery.simulator' }]);
  });

  test('a live listing is identified by its host, at any address', async () => {
    const ask = (baseUrl: string, host: string) =>
      settleWorld(installation.db, {
        world: { kind: 'live', listing: 'grocery', baseUrl, host },
        clock: 'machine',
        now: nightOf(date),
        acceptNewHost: false,
        waysOut: '',
      });
    await ask('https://gateway.example', 'grocery.example');
    await ask('http://10.0.0.2:8080', 'grocery.example');
    expect(await worlds()).toMatchObject([{ base_url: 'http://10.0.0.2:8080', host: 'grocery.example' }]);
    await expect(ask('http://10.0.0.2:8080', 'other.example')).rejects.toThrow(OtherWorld);
  });
});
