import { beforeAll, describe, expect, it } from 'vitest';
import { useExplorer } from './explorer-book.ts';

const explorer = useExplorer();

interface Pair {
  readonly path: string;
  readonly uk: number;
  readonly ie: number;
}

const pages = ['/movers', '/promotions', '/products', '/shrinkflation'] as const;
let shared: Pair;
let british: { path: string; category_key: number };

beforeAll(async () => {
  const [pair] = await explorer.ask<Pair>(`
    select uk.path, uk.category_key as uk, ie.category_key as ie
    from marts.dim_category uk join marts.dim_category ie on ie.region = 'ie' and ie.path = uk.path
    where uk.region = 'uk' and uk.depth = 0 order by uk.path limit 1`);
  // Gives one British department another name and number than any Irish one has.
  await explorer.db.query(`
    update catalog.category set name = 'Only in Britain', path = 'Only in Britain', category_id = 'only-in-britain'
    where category_key = (select max(category_key) from marts.dim_category where region = 'uk' and depth = 0)`);
  const [only] = await explorer.ask<typeof british>(
    `select path, category_key from marts.dim_category where region = 'uk' and path = 'Only in Britain'`,
  );
  shared = pair!;
  british = only!;
});

const html = async (path: string) => (await explorer.get(path)).text();
const chosen = (page: string) => /<option value="(\d+)" selected>/.exec(page)?.[1];

describe('a category of the other region', () => {
  it.each(pages)('a category is replaced by its namesake in the chosen region: %s', async (path) => {
    const page = await html(`${path}?region=ie&category=${shared.uk}`);
    expect(page).toContain(`category=${shared.ie}`);
    expect(page).not.toMatch(new RegExp(`category=${shared.uk}\\b`));
    if (path === '/products') return;
    expect(chosen(page)).toBe(String(shared.ie));
    const name = shared.path.replaceAll('&', '&amp;');
    expect(page.split(`>${name}</option>`).length - 1).toBe(1);
  });

  it.each(pages)('a category without a namesake is reported and not chosen: %s', async (path) => {
    const page = await html(`${path}?region=ie&category=${british.category_key}`);
    expect(page).toContain('Ireland has no category “Only in Britain”. All categories are shown.');
    expect(page).not.toContain('>Only in Britain<');
    expect(chosen(page)).toBeUndefined();
  });

  it('files and programs get the category of the same name, or a one-line error if there is none', async () => {
    for (const [address, status] of [
      [`/promotions.csv?region=ie&table=now&category=${shared.uk}`, 200],
      [`/promotions.csv?region=ie&table=now&category=${british.category_key}`, 400],
      [`/api/v1/promotions?region=ie&category=${british.category_key}`, 400],
    ] as const) {
      expect([address, (await explorer.get(address)).status]).toEqual([address, status]);
    }
    const other = await html(`/promotions.csv?region=ie&table=now&category=${shared.uk}`);
    expect(other).toBe(await html(`/promotions.csv?region=ie&table=now&category=${shared.ie}`));
    expect(other.split('\r\n').length).toBeGreaterThan(2);
  });
});
