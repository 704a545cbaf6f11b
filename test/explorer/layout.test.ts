import { h } from 'preact';
import { expect, test } from 'vitest';
import { axisOf, chartNights } from '../../src/web/charts/steps.ts';
import { renderPage } from '../../src/web/kernel/layout.tsx';
import type { Line } from '../../src/web/kernel/product-line.ts';
import { ProductList } from '../../src/web/kernel/products.tsx';
import { Table } from '../../src/web/kernel/table.tsx';

const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script>\'"';
const page = { path: '/', nav: [], freshness: [] };

test('texts from outside are escaped', () => {
  const table = { caption: markup, columns: [{ name: 'title' }], rows: [{ title: `${markup}\u202eabc` }] };
  const html = renderPage({ ...page, title: markup, children: h(Table<{ title: string }>, table) });
  expect(html.match(/<img|<script(?! src="\/assets\/)/g)).toBeNull();
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;>');
  expect(html).not.toContain('\u202e');
});

test('a page names a night that is newer than the last complete one, and what it lacks', () => {
  const at = { certified: '2026-03-23', behind: 1, isSimulated: false, owed: 0 };
  const shown = (later: { date: string; certificate: string } | null) => {
    const freshness = [
      { ...at, region: 'uk' as const, later },
      { ...at, region: 'ie' as const, later: null },
    ];
    return renderPage({ ...page, freshness, title: 'Prices', children: null });
  };
  expect(shown(null)).toContain('Prices of the night of 23 March 2026');
  expect(shown({ date: '2026-03-24', certificate: 'partial' })).toContain('the night of 24 March 2026 is partial');
});

test('a price is called the lowest of the nights that are known if it was usually higher, also for members', () => {
  const badge = (loyalty_price: string | null, ...history: NonNullable<Line['history']>) => {
    const line: Line = {
      ...{ brand: null, department: null, availability: 'available', on_promotion: false, price: '2.50', history },
      ...{ loyalty_price, lowest: loyalty_price ?? '2.50', highest: '3.00', unit_price: null, unit: null },
      ...{ offers: null, verdict: null, pack: null, price_30: null, unit_loyalty: null },
    };
    const axis = axisOf(chartNights([6, 7, 8, 9, 10].map((day) => `2026-06-${String(day).padStart(2, '0')}`))!);
    const rows = [{ region: 'uk', product_id: '1', title: 'Tea', line }];
    const of = { rows, axis, span: '5 nights', page: 1, from: 1, hasMore: false };
    const list = h(ProductList<(typeof rows)[number]>, { of, caption: 'Products', options: { cells: [] } });
    const html = renderPage({ ...page, title: 'Products', children: list });
    return /<span class="badge low">([^<]*)/.exec(html)?.[1];
  };
  // Known since the second of five nights.
  expect(badge(null, ['2026-06-07', '2026-06-10', 3, 3], ['2026-06-10', null, 2.5, 2.5])).toBe('At its lowest');
  const ofMembers = badge('1.00', ['2026-06-07', '2026-06-10', 3, 3], ['2026-06-10', null, 2.5, 1]);
  expect(ofMembers).toBe('Members’ price at its lowest');
  expect(badge(null, ['2026-06-06', null, 2.5, 2.5])).toBeUndefined();
  expect(badge(null, ['2026-06-06', '2026-06-07', 3, 3], ['2026-06-07', null, 2.5, 2.5])).toBeUndefined();
});
