import { beforeAll, describe, expect, it } from 'vitest';
import { insert } from '../../support/insert.ts';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

describe('shrinkflation', () => {
  beforeAll(async () => {
    const { rows } = await explorer.db.query<{ product_key: number }>(
      `select product_key from catalog.product where region = 'uk' order by product_key limit 3`,
    );
    const change = (i: number, more: object) => ({
      ...{ region: 'uk', product_key: rows[i]!.product_key, snapshot_date: book.lastNight, route: 'in_place' },
      ...{ confirmed_on: book.lastNight, changed_at: `${book.lastNight}T02:00:00Z`, old_size: 85, new_size: 80 },
      ...{ measure: 'g', old_price_minor: 170, new_price_minor: 170, evidence: 'title, details', score: 0.95 },
      ...more,
    });
    await explorer.db.query('delete from derived.pack_change');
    await insert(explorer.db, 'derived.pack_change', [
      change(0, {}),
      change(1, { route: 'new_gtin', old_size: 500, new_size: 450, new_price_minor: 150, snapshot_date: '2026-06-09' }),
      change(2, { old_size: 4, new_size: 6, measure: 'each' }),
    ]);
  });

  it('a pack has both sizes, and what a unit costs now, before and after the change', async () => {
    const html = await explorer.page('/shrinkflation?what=shrank');
    expect(html).toContain('85 g');
    expect(html).toContain('£20.00 / kg');
    expect(html).toContain('£21.25 / kg');
    expect(html).toContain('−5.9%');
    expect(html).not.toContain('6 pieces');
    expect(html).toMatch(/<h1>2 packs shrank in a year; \d cost more per unit now<\/h1>/);
    expect(await explorer.page('/shrinkflation?what=grew')).toContain('6 pieces');
  });
});
