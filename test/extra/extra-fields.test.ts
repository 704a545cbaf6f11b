import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { isExtraNightOwed } from '../../src/followers/extra/fill-night.ts';
import type { FaultRule } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { rejectingProducts } from '../replay/mistaken.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';

const nights = [1, 2, 3, 4, 5].map((day) => `2026-03-0${day}`);
const rating = 'rating=reviews.averageRating|reviews.stats.overallRating:number';
const three = `${rating}; display=displayType:text; counted=reviews.reviewCount:boolean`;

const household = useHousehold();
const mended = useReplayedBook({ items: 60, superDepartments: 2, dailyTurnover: 0 }, ['uk']);

describe('fields that no parser reads', () => {
  const book = useReplayedBook({ items: 120, superDepartments: 2, dailyTurnover: 0 }, ['uk']);
  const pricebook = (args: readonly string[], extraFields = '') =>
    household.run(args, {
      DATABASE_URL: book.installation.databaseUrl,
      PRICEBOOK_HOME: book.home,
      EXTRA_FIELDS: extraFields,
    });
  const night = (date: string, faults: readonly FaultRule[] = []) => {
    book.simulator.change({ faults: [...faults] });
    return book.crawl(date);
  };
  /** Of a product that has a rating on every night. */
  const spells = (name: string) =>
    rowsOf<{ from: string; to: string | null; value: string }>(
      book.installation.db,
      `select valid_from as from, valid_to as to, value from marts.dim_product_extra
       where name = $1 and product_key = (select min(product_key) from marts.dim_product_extra where name = 'rating')
       order by valid_from`,
      [name],
    );
  const everything = () =>
    rowsOf(book.installation.db, 'select * from marts.dim_product_extra order by product_key, name, valid_from');
  const summary = async (name: string) =>
    (await rowsOf(book.installation.db, 'select * from marts.extra_field where name = $1', [name]))[0];

  beforeAll(async () => {
    await night(nights[0]!);
    await night(nights[1]!, [{ kind: 'renamedField', field: 'averageRating', to: 'stars' }]);
    await night(nights[2]!, [{ kind: 'renamedField', field: 'reviewCount', to: 'averageRating' }]);
    await night(nights[3]!);
  });

  test('`fields` lists what has no effect on parsing, with share, example and first night', async () => {
    const { code, stdout } = await pricebook(['fields', '--json']);
    const { unread } = JSON.parse(stdout);
    const at = (endpoint: string, path: string) =>
      unread.find((field: Record<string, unknown>) => field['endpoint'] === endpoint && field['path'] === path);
    expect(code).toBe(0);
    expect(at('uk-category-page', 'reviews.averageRating')).toMatchObject({
      region: 'uk',
      example: expect.stringMatching(/^\d(\.\d)?$/),
      since: nights[0],
      or_earlier: true,
    });
    expect(at('uk-category-page', 'reviews.averageRating').products_share).toBeGreaterThan(0.8);
    expect(at('uk-product-details', 'displayType')).toMatchObject({ products_share: 1 });
    for (const path of ['id', 'tpnb', 'title', 'price.price', 'promotions[].description'])
      expect(at('uk-category-page', path)).toBeUndefined();
  });

  test('a replay fills named fields from all archived nights with their history', async () => {
    const replay = ['replay', '--from', nights[0]!, '--to', nights[3]!, '--region', 'uk', '--apply'];
    expect(await pricebook(replay, three)).toMatchObject({ code: 0 });
    const usual = (await spells('rating'))[0]!.value;
    expect(await spells('rating')).toEqual([
      { from: nights[0], to: nights[2], value: usual },
      { from: nights[2], to: nights[3], value: expect.stringMatching(/^\d+$/) },
      { from: nights[3], to: null, value: usual },
    ]);
    expect(await summary('display')).toMatchObject({ first_night: nights[0], last_night: nights[3], nights: 4 });
  });

  test('a value that does not fit its type is null and counted with its reason', async () => {
    expect(await spells('counted')).toEqual([]);
    const { unfit, reason } = (await summary('counted'))!;
    expect(Number(unfit)).toBeGreaterThan(300);
    expect(reason).toBe('number does not fit boolean');
  });

  test('nights read one by one and a fill of all nights give the same rows', async () => {
    const filled = await everything();
    for (const name of ['rating', 'display', 'counted']) {
      expect(await pricebook(['fields', '--forget', name])).toMatchObject({ code: 0 });
    }
    expect(await everything()).toEqual([]);
    // One field after the other, then none is left to read.
    expect((await pricebook(['fields', '--fill'], rating)).stderr).toContain('4 nights read');
    expect((await pricebook(['fields', '--fill'], three)).stderr).toContain('4 nights read');
    expect((await pricebook(['fields', '--fill'], three)).stderr).toContain('0 nights read');
    expect(await everything()).toEqual(filled);
  });

  test('a night that is crawled again is read again, with the nights after it', async () => {
    await night(nights[4]!, [{ kind: 'renamedField', field: 'reviewCount', to: 'averageRating' }]);
    await pricebook(['fields', '--fill'], three);
    expect(await spells('rating')).toHaveLength(4);
    await night(nights[4]!);
    expect((await pricebook(['fields', '--fill'], three)).stderr).toContain('1 night read');
    expect((await spells('rating')).map(({ from, to }) => [from, to])).toEqual([
      [nights[0], nights[2]],
      [nights[2], nights[3]],
      [nights[3], null],
    ]);
  });

  test('another path or type under a known name is refused until its values are deleted', async () => {
    const changed = 'rating=reviews.reviewCount:text';
    const refused = await pricebook(['fields', '--fill'], changed);
    expect(refused).toMatchObject({ code: 78 });
    expect(refused.stderr).toContain(`the values of rating were read as ${rating}`);
    expect(await spells('rating')).toHaveLength(3);
    await pricebook(['fields', '--forget', 'rating']);
    expect(await pricebook(['fields', '--fill'], changed)).toMatchObject({ code: 0 });
    expect(await summary('rating')).toMatchObject({ type: 'text', written: changed, nights: 5 });
  });

  test('`fields --sql` prints a query with one column per field', async () => {
    await pricebook(['fields', '--forget', 'rating']);
    await pricebook(['fields', '--fill'], three);
    const { stdout } = await pricebook(['fields', '--sql'], three);
    const rows = await rowsOf(book.installation.db, stdout);
    expect(rows.length).toBeGreaterThan(100);
    expect(Object.keys(rows[0]!)).toEqual(['region', 'product_id', 'product_key', 'rating', 'display', 'counted']);
  });

  test('without fields no statement is sent', async () => {
    const query = () => Promise.reject(new Error('a statement'));
    expect(await isExtraNightOwed({ query }, 'uk', [])).toBe(false);
  });
});

test('a replay that finds products again gives them their values of those nights', async () => {
  const { db } = mended.installation;
  const valued = () => rowsOf(db, `select from marts.dim_product_extra where valid_from = '${nights[0]}'`);
  const endpointsOf = rejectingProducts(({ productId }) => productId.endsWith('7'));
  for (const date of nights.slice(0, 2)) await mended.crawl(date, { endpointsOf }, 0);
  const run = (args: readonly string[]) =>
    household.run(args, {
      DATABASE_URL: mended.installation.databaseUrl,
      PRICEBOOK_HOME: mended.home,
      EXTRA_FIELDS: rating,
    });
  await run(['fields', '--fill']);
  const before = (await valued()).length;
  expect(before).toBeGreaterThan(30);
  const replay = ['replay', '--from', nights[0]!, '--to', nights[1]!, '--region', 'uk', '--apply'];
  expect(await run(replay)).toMatchObject({ code: 0 });
  expect((await valued()).length).toBeGreaterThan(before);
});
