import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { releasePartial } from '../../src/publish/release-partial.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { listed } from '../support/open-run.ts';

const everything = ['1', '2', '3', '4', '5'];
describe('a partial night that was published and is released', () => {
  const database = useDatabase();
  beforeEach(() => forgetEverything(database.db, 'restart'));

  test('a release delists products that the night before missed as well', async () => {
    await publishOnePage(database.db, '2026-03-01', of(everything));
    await publishOnePage(database.db, '2026-03-02', of(['1', '2']));
    const runId = await publishOnePage(database.db, '2026-03-03', of(['1']), false);
    await release(runId);
    expect(await states()).toEqual({ 1: 'available', 2: 'absent', 3: 'delisted', 4: 'delisted', 5: 'delisted' });
  });

  const of = (ids: readonly string[]) => ids.map((id) => listed(id));

  async function release(runId: number): Promise<void> {
    const now = new Date('2026-03-03T05:00:00Z');
    await releasePartial(database.db, { runId, delistAfter: 2, why: 'it was so', now });
  }

  async function states(): Promise<Record<string, string>> {
    const rows = await rowsOf<{ productId: string; availability: string }>(
      database.db,
      `select product_id as "productId", availability::text
       from catalog.availability_spell
       join catalog.product using (product_key)
       where valid_to is null order by product_id`,
    );
    return Object.fromEntries(rows.map(({ productId, availability }) => [productId, availability]));
  }
});
