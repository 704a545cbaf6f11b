import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { ListedProduct } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createExporter } from '../../src/followers/export/exporter.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import { useFolders } from '../export/lake.ts';
import { brokenPromises, nightsIn } from '../export/read-lake.ts';
import { readParquet } from '../export/read-parquet.ts';
import { misreadingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-28', '2026-03-29', '2026-03-30'];
const { signal } = new AbortController();

/** A change without effect on prices: the kind of a promotion without a price. */
const ofUnknownKind = (product: ListedProduct): ListedProduct => ({
  ...product,
  promotions: product.promotions.map((promotion) =>
    promotion.meaning.loyaltyPriceMinor === null
      ? { ...promotion, meaning: { ...promotion.meaning, kind: 'unknown' } }
      : promotion,
  ),
});

describe('nights that were exported before a replay', () => {
  const book = useReplayedBook({ items: 120, superDepartments: 2, dailyChange: 0.05, promoted: 0.5 }, ['uk']);
  const { lake, home } = useFolders();
  const exportOwed = () =>
    createExporter({
      db: book.installation.db,
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      destination: createFolder(lake),
      home,
      keepDays: 7,
    }).exportOwed(signal);

  beforeAll(async () => {
    for (const night of nights) await book.crawl(night, { endpointsOf: misreadingProducts(ofUnknownKind) });
    await exportOwed();
  });

  const kindsInFiles = async (): Promise<Record<string, readonly string[]>> => {
    const kinds: Record<string, string[]> = {};
    for (const { snapshot_date: date, files } of nightsIn(lake)) {
      const file = files.find(({ dataset }) => dataset === 'promotions')!;
      const rows = await readParquet(join(lake, file.path));
      kinds[date] = rows.map((row) => String(row['kind'])).sort();
    }
    return kinds;
  };
  const kindsInMarts = async (): Promise<Record<string, readonly string[]>> => {
    const rows = await rowsOf<{ date: string; kind: string }>(
      book.installation.db,
      `select night.snapshot_date as date, o.kind
       from ops.run night
       join marts.fct_promotion o
         on o.seen_from <= night.observed_at and (o.seen_to is null or o.seen_to > night.observed_at)
         and (o.starts_at is null or o.starts_at <= night.observed_at)
           and (o.ends_at is null or o.ends_at > night.observed_at)
       join marts.product_night listed on listed.run_id = night.run_id and listed.product_key = o.product_key`,
    );
    const kinds: Record<string, string[]> = {};
    for (const { date, kind } of rows) kinds[date] = [...(kinds[date] ?? []), kind].sort();
    return kinds;
  };

  test('exported nights are written again if a replay changes their contents, even without price changes', async () => {
    const before = await kindsInFiles();
    for (const date of nights) expect(before[date]).toContain('unknown');
    const hashes = nightsIn(lake).map((night) => night.content_hash);

    await book.replay({ from: nights[2]!, to: nights[2]! }, { apply: true });
    await exportOwed();
    const after = await kindsInFiles();
    expect(after).toEqual(await kindsInMarts());
    for (const date of nights) expect(after[date]).not.toEqual(before[date]);
    expect(nightsIn(lake).map((night) => night.content_hash)).toEqual(hashes);
    expect(brokenPromises(lake)).toEqual([]);
  });

  test('exported nights stay as they are if a replay changes nothing', async () => {
    const keys = () =>
      rowsOf(book.installation.db, 'select snapshot_date, change_seq from ops.night_change order by snapshot_date');
    const whole = { from: nights[0]!, to: nights[2]! };
    await book.replay(whole, { apply: true });
    const before = await keys();
    await book.replay(whole, { apply: true });
    expect(await keys()).toEqual(before);
  });
});
