import { beforeAll, describe, expect, it } from 'vitest';
import { insert } from '../../support/insert.ts';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

describe('shrinkflation', () => {
  beforeAll(async () => {
    // A piece costs so little that rounded prices per unit would double its rise.
    const { rows } = await explorer.db.query<{ product_key: number; price: number }>(
      `select product_key, price_minor as price from catalog.product p join catalog.product_current using (product_key)
       where p.region = 'uk' and price_minor > 0 order by 1 limit 3`,
    );
    const { price } = rows[1]!;
    const change = (i: number, more: object) => ({
      ...{ region: 'uk', product_key: rows[i]!.product_key, snapshot_date: book.lastNight, route: 'in_place' },
      ...{ confirmed_on: book.lastNight, changed_at: `${book.lastNight}T02:00:00Z`, old_size: 85, new_size: 80 },
      ...{ measure: 'g', old_price_minor: 170, new_price_minor: 170, evidence: 'title, details', score: 0.95 },
      ...more,
    });
    const former = { former_product_key: rows[0]!.product_key, snapshot_date: '2026-06-09' };
    const same = { old_price_minor: price, new_price_minor: price, ...former };
    await explorer.db.query('delete from derived.pack_change');
    await insert(explorer.db, 'derived.pack_change', [
      change(0, {}),
      change(1, { ...{ route: 'relaunch', measure: 'each', old_size: 50 * price, new_size: 45 * price }, ...same }),
      change(2, { old_size: 4, new_size: 6, measure: 'each' }),
    ]);
  });

  it('a pack has both sizes, and what a unit costs now, before and after the change', async () => {
    const html = await explorer.page('/shrinkflation?what=shrank');
    for (const words of ['85 g', '£20.00 / kg', '£21.25 / kg', '−5.9%', '</span> 11.1%']) expect(html).toContain(words);
    expect(html).not.toContain('6 pieces');
    expect(html).toMatch(/, before it <a href="[^"]*">[A-Z][a-z][^<]*<\/a>/);
    expect(html).toMatch(/<h1>2 packs shrank since 6 June 2026; \d costs? more per unit now<\/h1>/);
    expect(await explorer.page('/shrinkflation?what=grew')).toContain('6 pieces');
  });
});
