import { expect, it } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { deriveAll } from '../docs/played-book.ts';
import { book, useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

const paths = ['/', '/products?q=milk', '/movers', '/promotions', '/index', '/shrinkflation', '/uk-ireland'];
// The British night in the middle is partial: nothing follows from it.
const owed = [4, 5].map((nights) => `figures, indices and offers of ${nights} nights are still to be derived`);

it('every page states that nights are not derived yet, and none that no night is certified', async () => {
  const read = async (path: string) => (await explorer.get(path)).text();
  await explorer.db.tx(async (tx) => {
    for (const region of regionCodes) await forgetDerived(tx, region, book.firstNight);
  });
  for (const path of paths) {
    const page = await read(path);
    expect([path, ...owed.filter((line) => page.includes(line))]).toEqual([path, ...owed]);
    expect([path, /No night is complete/.exec(page)]).toEqual([path, null]);
  }
  await deriveAll(explorer.db);
  for (const path of paths) expect([path, (await read(path)).includes('still to be derived')]).toEqual([path, false]);
});
