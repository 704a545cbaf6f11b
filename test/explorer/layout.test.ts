import { h } from 'preact';
import { expect, test } from 'vitest';
import { sql } from '../../src/questions/sql.ts';
import { DataTable } from '../../src/web/data-table.tsx';
import { renderPage } from '../../src/web/layout.tsx';

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
