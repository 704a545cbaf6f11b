import { h } from 'preact';
import { expect, test } from 'vitest';
import { sql } from '../../src/questions/sql.ts';
import { DataTable } from '../../src/web/data-table.tsx';
import { renderPage } from '../../src/web/layout.tsx';
import { ProductTable } from '../../src/web/product-table.tsx';

const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script>\'"';

test('texts from outside are escaped', () => {
  const table = {
    name: 'products',
    caption: markup,
    sql: sql`select ${markup} as title`,
    columns: [{ name: 'title', heading: 'Title' }],
    rows: [{ title: `${markup}\u202eabc` }],
    fields: ['title'],
    hasMore: false,
    csvHref: '/products.csv',
    wholeHref: null,
  };
  const html = renderPage({
    title: markup,
    path: '/',
    nav: [],
    freshness: [],
    tables: [table],
    children: h(DataTable, { of: table }),
  });
  expect(html.match(/<img|<script(?! src="\/assets\/)/g)).toBeNull();
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;>');
  expect(html).not.toContain('\u202e');
});

test('a price is called the lowest of the nights that are known if it was usually higher, also for members', () => {
  const badge = (loyalty_price: string | null, ...history: readonly [string, string | null, number, number][]) => {
    const row = {
      ...{ region: 'uk' as const, product_id: '1', product_key: 1, title: 'Tea', brand: null, department: null },
      ...{
        price: '2.50',
        loyalty_price,
        lowest_price: loyalty_price ?? '2.50',
        highest_price: '3.00',
        currency: 'GBP',
      },
      ...{ unit_price: null, unit_of_measure: null, availability: 'available', on_promotion: false },
      ...{ history: JSON.stringify(history), offers: null, change_30_pct: null },
      ...{ offer_verdict: null, offer_stated_percent: null, offer_real_pct: null },
    };
    const table = { name: 'products', caption: 'Products', sql: sql`select`, columns: [], fields: [], hasMore: false };
    const hrefs = { csvHref: '', wholeHref: null };
    const rows = [6, 7, 8, 9, 10].map((day) => ({ snapshot_date: `2026-06-${String(day).padStart(2, '0')}` }));
    const nights = { ...table, ...hrefs, rows };
    const shown = h(ProductTable<typeof row>, { of: { ...table, ...hrefs, rows: [row] }, nights, columns: [] });
    const html = renderPage({ title: 'Products', path: '/', nav: [], freshness: [], children: shown });
    return /<span class="badge low">([^<]*)/.exec(html)?.[1];
  };
  // Known since the second of five nights.
  expect(badge(null, ['2026-06-07', '2026-06-10', 3, 3], ['2026-06-10', null, 2.5, 2.5])).toBe('Lowest in 4 nights');
  expect(badge('1.00', ['2026-06-07', '2026-06-10', 3, 3], ['2026-06-10', null, 2.5, 1])).toBe(
    'Members’ price lowest in 4 nights',
  );
  for (const usual of [
    [['2026-06-06', null, 2.5, 2.5]],
    [['2026-06-06', '2026-06-07', 3, 3] as const, ['2026-06-07', null, 2.5, 2.5]],
  ] as const)
    expect(badge(null, ...(usual as unknown as [string, string | null, number, number][]))).toBeUndefined();
});
