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

test('the lowest price of a product is named as that of members where they pay less than the shelf price', () => {
  const badges = (loyalty_price: string | null) => {
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
      ...{ history: null, offers: null, change_30_pct: null },
      ...{ offer_verdict: null, offer_stated_percent: null, offer_real_pct: null },
    };
    const table = { name: 'products', caption: 'Products', sql: sql`select`, columns: [], fields: [], hasMore: false };
    const nights = { ...table, csvHref: '', rows: [{ snapshot_date: '2026-06-09' }, { snapshot_date: '2026-06-10' }] };
    const shown = h(ProductTable<typeof row>, { of: { ...table, csvHref: '', rows: [row] }, nights, columns: [] });
    return renderPage({ title: 'Products', path: '/', nav: [], freshness: [], children: shown });
  };
  expect(badges('1.00')).toContain('Members’ price lowest in 2 nights');
  expect(badges(null)).toContain('>Lowest in 2 nights');
});
