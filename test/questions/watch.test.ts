import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { writePromotionBook } from '../derive/promotion-book.ts';
import { promotionCases } from '../derive/promotion-cases.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';
import { derive } from '../support/derive.ts';

const database = useDatabase();
const cliHome = useCliHome();
let nights: string[];
/** Certified nights on which each product was for sale, and the least that anyone paid. */
const sales = new Map<string, { readonly night: number; readonly paid: number }[]>();

beforeAll(async () => {
  const packs = [
    { product: 1, on: '2025-04-10', grams: [500, 450] },
    { product: 2, on: '2025-04-10', grams: [450, 500] },
    { product: 4, former: 3, on: '2025-04-14', grams: [400, 380] },
  ] as const;
  await fillRandomBook(database.db, { seed: 8, first: '2025-02-16', runs: 110, products: 40, packs });
  await database.db.query('alter table ops.run alter column run_id restart with 1000');
  const runs = Array.from({ length: 150 }, (_, n) => String(n + 1));
  await writePromotionBook(database.db, 'ie', promotionCases.ie, { runs, partial: [], firstKey: 1_000 });
  await derive(database.db);
  for (const region of ['uk', 'ie'] as const) await deriveNights(database.db, region);
  const rows = await rowsOf<{ date: string; product: string | null; paid: string }>(
    database.db,
    `select s.snapshot_date::text as date, n.product_id as product, least(n.price, n.loyalty_price) as paid
     from marts.snapshot s
     left join lateral (
       select * from marts.product_night where run_id = s.run_id and availability = 'available' and price is not null
     ) as n on true
     where s.region = 'uk' and s.certificate <> 'partial' order by 1`,
  );
  nights = [...new Set(rows.map(({ date }) => date))];
  for (const { date, product, paid } of rows)
    if (product !== null)
      sales.set(product, [...(sales.get(product) ?? []), { night: nights.indexOf(date), paid: Number(paid) }]);
});

const run = (...args: string[]) => cliHome.run(['watch', ...args], { DATABASE_URL: database.url });

async function events(rule: string, ...more: string[]): Promise<Record<string, string>[]> {
  const { code, stdout, stderr } = await run('--products', [...sales.keys()].join(), '--rule', rule, ...more, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') });
  return JSON.parse(stdout).rows;
}

type Sale = { readonly night: number; readonly paid: number };
const expected = (isTrue: (sale: Sale, earlier: readonly Sale[]) => boolean): string[] =>
  [...sales].flatMap(([product, sold]) =>
    sold
      .filter((sale, n) => isTrue(sale, sold.slice(0, n)))
      .map(({ night, paid }) => `${product} ${nights[night]} ${paid.toFixed(2)}`),
  );
const days = (from: number, to: number) => (Date.parse(nights[to]!) - Date.parse(nights[from]!)) / 86_400_000;

const rules: [string, string[], Parameters<typeof expected>[0]][] = [
  // On the night on which the price reaches the amount, not while it stays there.
  ['below', ['--amount', '3'], ({ night, paid }, all) => night > 0 && paid <= 3 && !((all.at(-1)?.paid ?? 4) <= 3)],
  [
    'lowest',
    [],
    ({ night, paid }, all) => {
      const known = all.filter((sale) => days(sale.night, night) <= 365).map((sale) => sale.paid);
      return known.length > 0 && paid < Math.min(...known);
    },
  ],
  ['back', [], ({ night }, all) => all.length > 0 && all.at(-1)!.night < night - 1],
];

it.each(rules)('watch has the nights on which %s came true for a product for sale', async (rule, more, isTrue) => {
  const due = expected(isTrue);
  expect(due.length).toBeGreaterThan(15);
  const found = await events(rule, ...more);
  expect(found.map((row) => `${row['product_id']} ${row['snapshot_date']} ${row['price']}`).sort()).toEqual(due.sort());
  const { snapshot_date: night = '' } = found.at(-2)!;
  const ofNight = found.filter(({ snapshot_date }) => snapshot_date === night);
  expect(await events(rule, ...more, '--since', night, '--until', night)).toEqual(ofNight);
});

it('watch has packs that shrank, also for the replaced product, and offers that are real reductions', async () => {
  const shrank = await events('shrank');
  expect(shrank.map(({ product_id, detail }) => `${product_id}: ${detail}`).sort()).toEqual([
    '1: 500 to 450 g',
    '3: 400 to 380 g, now sold as 4',
    '4: 400 to 380 g',
  ]);
  const due = await rowsOf<{ product_id: string; snapshot_date: string }>(
    database.db,
    `select distinct product_id, snapshot_date from marts.fct_promotion_check
     where region = 'ie' and verdict_label = 'real' order by 1, 2`,
  );
  const products = [...new Set(due.map(({ product_id }) => product_id))].join();
  const { stdout } = await run('--region', 'ie', '--products', products, '--rule', 'discount', '--json');
  const found: Record<string, string>[] = JSON.parse(stdout).rows;
  expect(found.map(({ product_id, snapshot_date }) => ({ product_id, snapshot_date })).sort(byText)).toEqual(
    [...due].sort(byText),
  );
  expect(due.length).toBeGreaterThan(3);
});

const byText = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));

it('watch refuses a question without a product or without the amount that it needs', async () => {
  expect(await run('--rule', 'lowest')).toMatchObject({ code: 2, stderr: expect.stringContaining('--products') });
  expect(await run('--products', '1', '--rule', 'below')).toMatchObject({ code: 2, stdout: '' });
});
