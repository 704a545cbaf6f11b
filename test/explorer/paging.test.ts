import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { PageRows, type Sql, sql } from '../../src/questions/sql.ts';
import { askTables } from '../../src/web/answer-page.tsx';
import { definePage } from '../../src/web/page.ts';
import { lastPage } from '../../src/web/parameters.ts';
import { Pager } from '../../src/web/parts.tsx';
import { useDatabase } from '../support/database.ts';
import { useExplorer } from './explorer-book.ts';

const database = useDatabase();
const explorer = useExplorer('full');

async function tableOf(statement: Sql, partOf?: (row: Readonly<Record<string, unknown>>) => string) {
  const page = definePage({
    path: '/numbers',
    about: 'Numbers.',
    parameters: {},
    queries: () => ({ numbers: { caption: 'Numbers', sql: statement, columns: [], ...(partOf && { partOf }) } }),
    title: () => 'Numbers',
    view: () => h('p', null),
  });
  const reader = {
    async ask({ text, asked }: Sql) {
      const { rows, fields } = await database.db.query(text, asked);
      return { rows, fields: fields.map(({ name }) => name) };
    },
    close: async () => undefined,
  };
  const { numbers } = await askTables(page, {}, reader);
  return numbers!;
}

it('a page that is exactly full has no next one, and one with a row more has', async () => {
  for (const [there, hasMore] of [
    [4, false],
    [5, false],
    [6, true],
  ] as const) {
    const table = await tableOf(sql`select i from generate_series(1, ${there}::int) as i limit ${new PageRows(5)}`);
    expect([table.rows.length, table.hasMore]).toEqual([Math.min(there, 5), hasMore]);
    expect(table.sql.copy).toContain('limit 5');
  }
});

it('a page that shows so many rows of each of two parts has a next one where either has more', async () => {
  const both = (odd: number, even: number) =>
    tableOf(
      sql`select i from generate_series(1, 20) as i where i % 2 = 1 and i < ${2 * odd} or i % 2 = 0 and i <= ${2 * even} and ${new PageRows(3)}::int > 0 order by i`,
      ({ i }) => String(Number(i) % 2),
    );
  expect((await both(3, 3)).hasMore).toBe(false);
  const more = await both(4, 2);
  expect([more.hasMore, more.rows.length]).toEqual([true, 5]);
});

it('the last page that can be asked for leads to no other', () => {
  const hrefWith = ({ page }: Readonly<Record<string, unknown>>) => `/products?page=${page}`;
  const pager = (page: number) => renderToStaticMarkup(h(Pager, { page, hasMore: true, hrefWith }));
  expect(pager(lastPage - 1)).toContain('Next page');
  expect(pager(lastPage)).not.toContain('Next page');
  expect(pager(lastPage)).toContain('filters lead to the others');
});

it('from page to page of any table every row is met once, and the last page is not empty', async () => {
  for (const path of ['/products?availability=any', '/movers?period=month', '/nights', '/stores?presence=both']) {
    let address: string | null = path;
    let html = '';
    for (let page = 0; address !== null && page < 60; page += 1) {
      html = await (await explorer.get(address)).text();
      const next: RegExpExecArray | null = /<a rel="next" href="([^"]+)"/.exec(html);
      address = next && next[1]!.replaceAll('&amp;', '&');
    }
    expect([path, html.includes('<tbody>')]).toEqual([path, true]);
  }
});
