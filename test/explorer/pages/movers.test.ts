import { describe, expect, it } from 'vitest';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

interface Move {
  readonly product_id: string;
  readonly old_price: string;
  readonly new_price: string;
}

/** Prices of the products of a night; what is shown of a product that is not for sale is no offer. */
const pricesOn = (region: string, date: string) => `
  select product_key, night.product_id, spell.price, coalesce(night.loyalty_price, spell.price) as paid
  from marts.fct_price_daily night join marts.fct_price_spell spell using (product_key)
  where night.region = '${region}' and snapshot_date = '${date}'
    and valid_from <= '${date}' and (valid_to is null or valid_to > '${date}')`;

/** Products with different prices on both nights, computed from all rows. */
const movesBetween = (region: string, since: string, until: string): Promise<Move[]> =>
  explorer.ask<Move>(`
    select later.product_id, earlier.price as old_price, later.price as new_price
    from (${pricesOn(region, until)}) as later join (${pricesOn(region, since)}) as earlier using (product_key)
    where earlier.price <> later.price`);

const shown = (parameters: string) => explorer.rows('movers', parameters);
const keysOf = (
  rows: readonly { product_id?: string | null; old_price?: string | null; new_price?: string | null }[],
) => rows.map((row) => `${row.product_id} ${row.old_price} ${row.new_price}`).sort();

describe('movers', () => {
  it.each([
    ['uk', 'night', '2026-06-09', book.lastNight],
    // A partial night is not compared; the one before it is.
    ['uk', 'night&until=2026-06-09', '2026-06-07', '2026-06-09'],
    ['ie', 'week', book.firstNight, book.lastNight],
    ['uk', 'month', book.firstNight, book.lastNight],
  ])('the movers of %s by %s have prices that differ between the two certified nights, each once', async (...of) => {
    const [region, period, since, until] = of;
    const moves = await movesBetween(region, since, until);
    const rows = await shown(`region=${region}&period=${period}`);
    expect(moves.length).toBeGreaterThan(3);
    expect(keysOf(rows)).toEqual(keysOf(moves));
    expect(rows[0]).toMatchObject({ since, until });
  });

  it('a limit counts the movers of both directions together, the largest first', async () => {
    const { rows } = await (await explorer.get('/api/v1/questions/movers?period=month&limit=5')).json();
    expect(rows).toHaveLength(5);
    expect(keysOf(rows)).toEqual(keysOf((await shown('period=month')).slice(0, 5)));
  });

  it('the movers of a category were in it on both nights', async () => {
    const { firstNight, lastNight } = book;
    const moves = await movesBetween('uk', firstNight, lastNight);
    const members = await explorer.ask<{ category_id: string; ids: string[] }>(`
      select category_id, array_agg(product_id) as ids from (
        select category_id, product_id from marts.bridge_product_category
        where region = 'uk' and depth = 0 and began_on <= '${firstNight}'
          and (ended_on is null or ended_on > '${firstNight}')
        intersect
        select category_id, product_id from marts.bridge_product_category
        where region = 'uk' and depth = 0 and began_on <= '${lastNight}'
          and (ended_on is null or ended_on > '${lastNight}')) as member
      group by category_id`);
    let found = 0;
    for (const { category_id, ids } of members) {
      const rows = await shown(`period=month&category=${encodeURIComponent(category_id)}`);
      expect(keysOf(rows)).toEqual(keysOf(moves.filter(({ product_id }) => ids.includes(product_id))));
      found += rows.length;
    }
    expect(found).toBeGreaterThan(3);
  });

  it('the heading counts the products that became dearer and cheaper, and names the real span', async () => {
    const moves = await movesBetween('uk', book.firstNight, book.lastNight);
    const rises = moves.filter((move) => Number(move.new_price) > Number(move.old_price)).length;
    const html = await explorer.page('/movers?period=month');
    const [, dearer, cheaper] = /<h1>(\d+) products? became dearer in 4 nights, (\d+) cheaper<\/h1>/.exec(html)!;
    expect([Number(dearer), Number(cheaper)]).toEqual([rises, moves.length - rises]);
  });

  it('both directions show their first ten, with a link to all of one', async () => {
    const all = await explorer.page('/movers?period=month');
    const counts = ['rises', 'falls'].map(async (one) => (await shown(`period=month&direction=${one}`)).length);
    const [rises, falls] = await Promise.all(counts);
    expect(all.match(/ name="items"/g)).toHaveLength(Math.min(10, rises!) + Math.min(10, falls!));
    expect(all).toContain(`href="/movers?period=month&amp;direction=rises">All ${rises}</a>`);
  });

  it('the movers compare what members pay if asked to, and keep to it in every link', async () => {
    const [bought] = await explorer.ask<Record<'dearer' | 'cheaper', number>>(`
      select count(*) filter (where later.paid > earlier.paid)::int as dearer,
        count(*) filter (where later.paid < earlier.paid)::int as cheaper
      from (${pricesOn('uk', book.lastNight)}) as later
      join (${pricesOn('uk', book.firstNight)}) as earlier using (product_key)
      join marts.product_now n on n.product_key = later.product_key and n.availability = 'available'`);
    const html = await explorer.page('/movers?period=month&basis=member');
    const [, dearer, cheaper] = /<h1>(\d+) products? became dearer for members in 4 nights, (\d+) cheaper/.exec(html)!;
    expect({ dearer: Number(dearer), cheaper: Number(cheaper) }).toEqual(bought);
    expect(html).toContain('href="/movers?period=week&amp;basis=member"');
    expect(await shown('period=month&basis=member')).toHaveLength(bought!.dearer + bought!.cheaper);
  });
});

it('up to a night before the first one there is nothing to compare', async () => {
  expect(await explorer.page('/movers?until=2020-01-01')).toContain('<h1>There is no earlier night to compare with<');
});
