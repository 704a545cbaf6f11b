import { expect, it } from 'vitest';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { book, useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

const again = async (path: string, tag: string) => (await explorer.get(path, { 'if-none-match': tag })).status;

it('a repeated page is answered by 304 until a night of the book changes', async () => {
  const paths = [
    '/',
    '/products?q=milk',
    '/movers?period=month',
    '/promotions',
    '/index',
    '/shrinkflation',
    '/uk-ireland',
  ];
  const tags = new Map<string, string>();
  for (const path of paths) {
    const response = await explorer.get(path);
    tags.set(path, response.headers.get('etag')!);
    expect([path, response.headers.get('cache-control')]).toEqual([path, 'private, no-cache']);
    expect([path, await again(path, tags.get(path)!)]).toEqual([path, 304]);
  }
  expect(new Set(tags.values()).size).toBe(paths.length);
  await explorer.db.tx((tx) => forgetDerived(tx, 'uk', book.lastNight));
  for (const [path, tag] of tags) expect([path, await again(path, tag)]).toEqual([path, 200]);
  await deriveNights(explorer.db, 'uk');
  for (const [path, tag] of tags) expect([path, await again(path, tag)]).toEqual([path, 200]);
});

it('pages that can change between nights are sent anew each time', async () => {
  for (const path of ['/operations', '/requests', '/nights', '/products?nonsense=1']) {
    const response = await explorer.get(path);
    expect([path, response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([
      path,
      null,
      'no-store',
    ]);
  }
});
