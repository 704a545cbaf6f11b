import { describe, expect, it } from 'vitest';
import { book, useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();

describe('the index', () => {
  it('no line is drawn through a night that is not certified', async () => {
    const html = await explorer.page('/index?region=uk');
    expect(html).toContain('no complete night');
    // Nothing is said about a month that the book does not have.
    expect(html).toMatch(
      /<h1>Prices in the United Kingdom are [^<]* on 6 Jun; [^<]* added most \(\+[^<]+ points\), [^<]* took off most/,
    );
    expect(html).not.toContain('month ago');
    const path = [...html.matchAll(/<path class="line"[^>]*? d="(M[^"]+)"/g)].at(-1)![1]!;
    // Two nights, the gap, two nights: two pieces of two steps.
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path.match(/V/g)).toHaveLength(2);
  });
});

it('contributions are the logarithms of changes by the products of a part, and the page names their sum', async () => {
  const [whole, ...parts] = await explorer.rows('contributions');
  const ends = await explorer.ask<{ key: number | null; by: number; products: number }>(
    `select first.category_key as key, (last.value / first.value)::float8 as by, last.matched_products as products
     from marts.price_index first
     join marts.price_index last using (region, period, method, price_basis)
     where region = 'uk' and period = 'day' and method = 'geks_jevons' and price_basis = 'shelf_adjusted'
       and first.category_key is not distinct from last.category_key
       and first.period_start = '${book.firstNight}' and last.period_start = '${book.lastNight}'`,
  );
  const all = ends.find(({ key }) => key === null)!;
  expect(Number(whole!['contribution_points'])).toBeCloseTo(100 * (all.by - 1), 2);
  expect(parts.length).toBeGreaterThan(3);
  for (const part of parts) {
    const own = ends.find(({ key }) => key === Number(part['category_key']))!;
    const points = (100 * Math.log(own.by) * own.products * (all.by - 1)) / (all.products * Math.log(all.by));
    expect(Number(part['contribution_points'])).toBeCloseTo(points, 2);
  }
  const sum = parts.reduce((total, part) => total + Number(part['contribution_points']), 0);
  expect(await explorer.page('/index')).toContain(
    `Their sum is ${sum < 0 ? '−' : '+'}${Math.abs(sum).toFixed(2)}, not `,
  );
});

it('the whole region has a name among its categories', async () => {
  expect(await explorer.page('/contributions?region=uk')).toContain('>Everything</td>');
});
