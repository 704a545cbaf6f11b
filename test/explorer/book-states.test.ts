import { expect, it } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { deriveAll } from '../docs/played-book.ts';
import { book, openOver, useExplorer } from './explorer-book.ts';

// One book, which each test leaves as it was, but for the last ones.
const explorer = useExplorer();

const paths = [
  '/',
  '/find?words=milk',
  '/movers?period=month',
  '/promotions',
  '/index',
  '/shrinkflation',
  '/uk-ireland',
];

it('paging through any list ends with a page that is not empty', async () => {
  for (const path of ['/find?availability=any', '/movers?period=month&direction=rises', '/asof?region=uk', '/stores']) {
    let address: string | null = path;
    let html = '';
    for (let page = 0; address !== null && page < 60; page += 1) {
      html = await explorer.page(address);
      const next: RegExpExecArray | null = /<a rel="next" href="([^"]+)"/.exec(html);
      address = next && next[1]!.replaceAll('&amp;', '&');
    }
    expect([path, html.includes('<tbody>')]).toEqual([path, true]);
  }
});

it('a repeated page is answered by 304 until a night changes, and names the nights that are not derived', async () => {
  const again = async (path: string, tag: string) => (await explorer.get(path, { 'if-none-match': tag })).status;
  const tags = new Map<string, string>();
  for (const path of paths) {
    const response = await explorer.get(path);
    tags.set(path, response.headers.get('etag')!);
    expect([path, response.headers.get('cache-control')]).toEqual([path, 'private, no-cache']);
    expect([path, await again(path, tags.get(path)!)]).toEqual([path, 304]);
  }
  expect(new Set(tags.values()).size).toBe(paths.length);
  await explorer.db.tx(async (tx) => {
    for (const region of regionCodes) await forgetDerived(tx, region, book.firstNight);
  });
  // The British night in the middle is partial: nothing follows from it.
  const owed = [4, 5].map((nights) => `figures, indices and offers of ${nights} nights are still to be derived`);
  for (const [path, tag] of tags) {
    expect([path, await again(path, tag)]).toEqual([path, 200]);
    const page = await explorer.page(path);
    expect([path, ...owed.filter((line) => page.includes(line))]).toEqual([path, ...owed]);
  }
  await deriveAll(explorer.db);
  for (const [path, tag] of tags) {
    expect([path, await again(path, tag)]).toEqual([path, 200]);
    expect([path, (await explorer.page(path)).includes('still to be derived')]).toEqual([path, false]);
  }
});

it('a page is of one state of the book, also if the book changes while the page is read', async () => {
  const { db } = explorer;
  let reading: Promise<string> | undefined;
  await db.tx(async (tx) => {
    // Asked for by the form, after the heading has compared prices at a rate, and before the list does.
    await tx.query('lock table catalog.category in access exclusive mode');
    reading = explorer.page('/uk-ireland?match=all');
    const waiting = `select from pg_locks where relation = 'catalog.category'::regclass and not granted`;
    await expect.poll(async () => (await db.query(waiting)).rowCount).toBeGreaterThan(0);
    await tx.query('create table kept as table ops.fx_rate');
    await tx.query('delete from ops.fx_rate');
  });
  expect(await reading).toMatch(/<h1>Of \d+ products likely sold in both, .* are dearer in Ireland/);
  expect(await reading).not.toContain('no rate');
  expect(await explorer.page('/uk-ireland?match=all')).toContain('no rate');
  await db.query('insert into ops.fx_rate table kept');
  await db.query('drop table kept');
});

it('pages that can change between nights are sent anew each time', async () => {
  for (const path of ['/operations', '/find?nonsense=1']) {
    const { headers } = await explorer.get(path);
    expect([path, headers.get('etag'), headers.get('cache-control')]).toEqual([path, null, 'no-store']);
  }
});

it('every page states that the data are simulated, and no page of real data does', async () => {
  const shownAt = async (path: string) => (await explorer.page(path)).replace(/<[^>]*>/g, '');
  const line = 'Simulated: products and prices are invented';
  await explorer.db.query(`update ops.run set upstream = 'simulator seed=1 items=60 date=' || snapshot_date`);
  for (const page of ['/', '/find', '/promotions', '/stores', '/none']) expect(await shownAt(page)).toContain(line);
  await explorer.db.query(`update ops.run set upstream = 'grocery at https://gateway.example, host grocery.example'`);
  expect(await shownAt('/')).not.toContain(line);
});

it('empty pages say nothing of commands to visitors, and the ways of a page say how they are called', async () => {
  await explorer.db.query('truncate catalog.store, ops.store_refresh cascade');
  const ownCommand = 'npm run --silent pricebook --';
  const { url, close } = await openOver(explorer.db, { ownCommand });
  try {
    const html = await (await fetch(`${url}/stores`)).text();
    expect(html).toContain('<p class="none">No known store matches or lies that near.</p>');
    expect(html).toContain(`<code>${ownCommand} watch add my-stores stores</code>`);
    expect(html).not.toContain('`');
  } finally {
    await close();
  }
});
