import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeReplay } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom } from '../../src/base/clock.ts';
import { requestDetails } from '../../src/crawl/ledger/detail-visits.ts';
import { openStoreRefresh } from '../../src/crawl/open-store-refresh.ts';
import { refreshStores } from '../../src/crawl/refresh-stores.ts';
import { searchFor, searchNight } from '../../src/crawl/search-products.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { replayArchive } from '../../src/publish/replay/replay-archive.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';
import { nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';
import { openDirectBook } from '../trust/direct-book.ts';
import { misreadingProducts } from './mistaken.ts';

const nights = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;
const { signal } = new AbortController();
const aPennyDearer = misreadingProducts((product) => ({
  ...product,
  priceMinor: product.priceMinor === null ? null : product.priceMinor + 1,
}));
/** Data that no night writes. */
const apart = [
  'dim_store',
  'dim_store_hours',
  'fct_store_spell',
  'fct_search_rank',
  'fct_search_filter',
  'found_product',
] as const;

describe('an archive with stores, searches and requested details', () => {
  const installation = useInstallation();
  const home = mkdtempSync(join(tmpdir(), 'pricebook-replay-'));
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 120, superDepartments: 2, dailyChange: 0.2, dailyTurnover: 0.05 });
    const book = await openDirectBook({
      upstream: simulator.url,
      home,
      maxDetails: 6,
      env: {
        DATABASE_URL: installation.databaseUrl,
        ...installation.queue,
        ARCHIVE: 'file',
        STORES_BASE_URL: simulator.url,
        STORES_KEY: 'stores',
        STORE_AREAS: '52.9,-4.8,53.5,-3.6',
      },
      crawler: { endpointsOf: aPennyDearer },
    });
    const { context } = book;
    for (const date of nights) {
      simulator.change({ date });
      book.setTo(date);
      // Before the first night nothing that is found is listed; after it some of it has left.
      await searchFor(context, searchNight('uk', nightOf(date)), 'fresh', signal);
      expect((await book.night('uk', date)).verdict).toBe('complete');
      const [listed] = await rowsOf<{ id: string }>(
        installation.db,
        'select product_id as id from marts.dim_product order by product_key desc limit 1',
      );
      await requestDetails(installation.db, 'uk', [listed!.id], new Date(nightOf(date).getTime() + 3_600_000));
    }
    const refresh = await openStoreRefresh(context, 'command');
    await refreshStores(context, refresh!.refreshId, signal);
    await book.close();
  });
  afterAll(async () => {
    await simulator.close();
    rmSync(home, { recursive: true, force: true });
  });

  const replay = (apply: boolean) => {
    const config = loadConfig({ DATABASE_URL: installation.databaseUrl, PRICEBOOK_HOME: home }, { cwd: home });
    const needs = { config, db: installation.db, clock: clockFrom(nightOf('2026-04-01')) };
    const range = { from: nights[0], to: nights[2], regions: ['uk'] as const, parts: ['listing', 'detail'] as const };
    return replayArchive(composeReplay(needs, { endpointsOf }), { ...range, apply, signal });
  };
  const keptApart = async () => {
    const lines: Record<string, string[]> = {};
    for (const mart of apart) {
      const rows = await rowsOf<{ line: string }>(
        installation.db,
        `select t::text as line from marts.${mart} t order by 1`,
      );
      lines[mart] = rows.map(({ line }) => line);
    }
    const requests = await rowsOf<{ line: string }>(
      installation.db,
      'select v::text as line from ops.detail_visit v where requested_at > visited_at order by 1',
    );
    return { ...lines, requests: requests.map(({ line }) => line) };
  };

  test('a replay of the nights repairs them and leaves stores, searches and requested details alone', async () => {
    const before = await keptApart();
    for (const [name, lines] of Object.entries(before)) expect([name, lines.length > 0]).toEqual([name, true]);
    const asked = simulator.log().total;
    expect(await disagreements(installation.db, simulator, 'uk', nights[1])).not.toEqual([]);

    const { differences, isApplied } = await replay(true);
    expect(isApplied).toBe(true);
    expect(differences.map(({ field }) => field)).toContain('price_minor');
    for (const night of nights) expect(await disagreements(installation.db, simulator, 'uk', night)).toEqual([]);
    expect(await keptApart()).toEqual(before);
    expect(await brokenInvariants(installation.db)).toEqual([]);
    expect(simulator.log().total).toBe(asked);
    expect((await replay(false)).rows).toEqual([]);
  });
});
