import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { writePromotionBook } from '../derive/promotion-book.ts';
import { promotionCases } from '../derive/promotion-cases.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';
import { derive } from '../support/derive.ts';

/** What a product cost on a certified night on which it was for sale. */
interface Sale {
  readonly night: number;
  readonly paid: number;
}

describe('the question watch', () => {
  const database = useDatabase();
  const household = useHousehold();
  let nights: string[];
  const sales = new Map<number, Sale[]>();

  beforeAll(async () => {
    const packs = [
      { product: 1, on: '2025-04-10', grams: [500, 450] },
      { product: 2, on: '2025-04-10', grams: [450, 500] },
      { product: 4, former: 3, on: '2025-04-14', grams: [400, 380] },
    ] as const;
    await fillRandomBook(database.db, { seed: 8, first: '2025-02-16', runs: 110, products: 40, packs });
    await deriveNights(database.db, 'uk');
    const certified = await rowsOf<{ date: string }>(
      database.db,
      `select distinct snapshot_date::text as date from ops.certified_run order by 1`,
    );
    nights = certified.map(({ date }) => date);
    const rows = await rowsOf<{ date: string; product: number; paid: string }>(
      database.db,
      `select snapshot_date::text as date, product_key as product, least(price, loyalty_price) as paid
       from marts.fct_price_daily
       where region = 'uk' and availability = 'available' and price is not null
       order by 1`,
    );
    for (const { date, product, paid } of rows) {
      const sale = { night: nights.indexOf(date), paid: Number(paid) };
      sales.set(product, [...(sales.get(product) ?? []), sale]);
    }
  });

  const ask = async (product: number | string, rule: string, ...args: string[]): Promise<Record<string, string>[]> => {
    const asked = ['watch', '--product', String(product), '--rule', rule, ...args, '--json'];
    const { code, stdout, stderr } = await household.run(asked, { DATABASE_URL: database.url });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout).rows;
  };
  const askAll = (rule: string, amount: number | null) =>
    rowsOf<{ product: number; date: string; price: string; event: string }>(
      database.db,
      `select e.product_key as product, e.snapshot_date::text as date, e.price, e.event
       from (select array_agg(product_key) as keys from marts.dim_product) as p
       cross join lateral marts.watch_events(p.keys, array_fill($1::text, array[cardinality(p.keys)]),
         array_fill($2::numeric, array[cardinality(p.keys)])) as e
       order by 1, 2`,
      [rule, amount],
    );
  const expected = (isTrue: (sale: Sale, earlier: readonly Sale[]) => boolean): string[] =>
    [...sales].flatMap(([product, sold]) =>
      sold
        .filter((sale, n) => isTrue(sale, sold.slice(0, n)))
        .map(({ night, paid }) => `${product} ${nights[night]} ${paid.toFixed(2)}`),
    );
  const found = async (rule: string, amount: number | null = null) =>
    (await askAll(rule, amount)).map(({ product, date, price }) => `${product} ${date} ${price}`);
  const days = (from: number, to: number) => (Date.parse(nights[to]!) - Date.parse(nights[from]!)) / 86_400_000;

  it('below comes true on the night on which the price reaches the amount, not while it stays there', async () => {
    const due = expected(({ night, paid }, earlier) => night > 0 && paid <= 3 && !((earlier.at(-1)?.paid ?? 4) <= 3));
    expect(due.length).toBeGreaterThan(15);
    expect((await found('below', 3)).sort()).toEqual(due.sort());
  });

  it('lowest comes true on each night with a price below all known ones of the 365 days before', async () => {
    const due = expected(({ night, paid }, earlier) => {
      const known = earlier.filter((sale) => days(sale.night, night) <= 365).map((sale) => sale.paid);
      return known.length > 0 && paid < Math.min(...known);
    });
    expect(due.length).toBeGreaterThan(15);
    expect((await found('lowest')).sort()).toEqual(due.sort());
  });

  it('back comes true when a product is for sale that was not on the certified night before, but earlier', async () => {
    const due = expected(({ night }, earlier) => earlier.length > 0 && earlier.at(-1)!.night < night - 1);
    expect(due.length).toBeGreaterThan(15);
    expect((await found('back')).sort()).toEqual(due.sort());
  });

  it('shrank comes true when a smaller pack is confirmed, also for the product that it replaced', async () => {
    const confirmed = await rowsOf<{ product: string; date: string }>(
      database.db,
      `select product_id as product, confirmed_on::text as date from marts.fct_pack_change order by product_id`,
    );
    const on = (id: string) => confirmed.find(({ product }) => product === id)!.date;
    expect(confirmed.map(({ product }) => product)).toEqual(['1', '2', '4']);
    expect((await askAll('shrank', null)).map(({ product, date, event }) => [product, date, event])).toEqual([
      [1, on('1'), 'The pack shrank from 500 to 450 g.'],
      [3, on('4'), 'The pack shrank from 400 to 380 g; now sold as product 4.'],
      [4, on('4'), 'The pack shrank from 400 to 380 g.'],
    ]);
  });

  it('the command tells the events of one product between two nights, newest first, in sentences', async () => {
    const events = await askAll('lowest', null);
    const { product } = events.find((event, n) => events[n + 1]?.product === event.product)!;
    const all = await ask(product, 'lowest');
    expect(all).toHaveLength(events.filter((event) => event.product === product).length);
    const since = all.at(-2)!['snapshot_date']!;
    expect(await ask(product, 'lowest', '--since', since, '--until', since)).toEqual([all.at(-2)]);
    expect(all.at(-2)!['event']).toMatch(
      /^£\d+\.\d\d( for members)?, the lowest price since 2025-\d\d-\d\d; until now £/,
    );
    const unsaid = await household.run(['watch', '--product', '1', '--rule', 'below'], { DATABASE_URL: database.url });
    expect(unsaid).toMatchObject({ code: 0, stderr: expect.stringContaining('Say which price to wait for') });
  });
});

describe('the rule discount', () => {
  const database = useDatabase();

  it('comes true on the night on which a promotion begins that is a real reduction', async () => {
    const days = Array.from({ length: 150 }, (_, n) => String(n + 1));
    await writePromotionBook(database.db, 'uk', promotionCases.uk, { runs: days, partial: [], firstKey: 1_000 });
    await derive(database.db);
    await deriveNights(database.db, 'uk');
    const due = await rowsOf(
      database.db,
      `select distinct product_key, snapshot_date from marts.fct_promotion_check
       where verdict_label = 'real' order by 1, 2`,
    );
    expect(due.length).toBeGreaterThan(10);
    const found = await rowsOf<{ event: string }>(
      database.db,
      `select e.product_key, e.snapshot_date, e.event
       from (select array_agg(product_key) as keys from marts.dim_product) as p
       cross join lateral marts.watch_events(p.keys, array_fill('discount'::text, array[cardinality(p.keys)]),
         array_fill(null::numeric, array[cardinality(p.keys)])) as e
       order by 1, 2`,
    );
    expect(found.map(({ event: _, ...rest }) => rest)).toEqual(due);
    expect(found[0]!.event).toMatch(/^A real reduction of \d+(\.\d+)? % began: .+\.$/);
  });
});
