import { h } from 'preact';
import { expect, it } from 'vitest';
import { PageRows, type Sql, sql } from '../../src/questions/sql.ts';
import { askTables } from '../../src/web/answer-page.tsx';
import { definePage } from '../../src/web/page.ts';
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

it('a page that is exactly full has no next page, and one with another row has', async () => {
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

it('paging through any table meets every row once, and the last page is not empty', async () => {
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
