import { expect, it } from 'vitest';
import { useExplorer } from './explorer-book.ts';

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
