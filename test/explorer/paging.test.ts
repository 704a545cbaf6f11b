import { expect, it } from 'vitest';
import { useExplorer } from './explorer-book.ts';
import { readCsv } from './read-csv.ts';

const explorer = useExplorer('full');

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

it('a table of several pages is offered as one CSV of all its rows, also from its second page', async () => {
  const ask = async (address: string) => (await explorer.get(address)).text();
  const [, href] = / href="([^"]+rows=all)"/.exec(await ask('/products?page=2'))!;
  const rows = readCsv(await ask(href!.replaceAll('&amp;', '&')));
  const [, total] = /<h1>([\d,]+) products/.exec(await ask('/products'))!;
  expect(new Set(rows.map(({ product_id }) => product_id)).size).toBe(Number(total!.replace(',', '')));
  expect(await ask('/products?sort=cheapest&category=0')).not.toContain('rows=all');
});
