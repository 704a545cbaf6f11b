import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import type { FaultRule } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';

const nights = [1, 2, 3, 4].map((day) => `2026-03-0${day}`);
const rating = 'rating=reviews.averageRating|reviews.stats.overallRating:number';
const three = `${rating}; display=displayType:text; counted=reviews.reviewCount:boolean`;

const cliHome = useCliHome();

describe('fields that no parser reads', () => {
  const book = useReplayedBook({ items: 120, superDepartments: 2, dailyTurnover: 0 }, ['uk']);
  const pricebook = (args: readonly string[], extraFields = '') =>
    cliHome.run(args, {
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
      `select valid_from::date as from, valid_to::date as to, value from marts.dim_product_extra
       where name = $1 and source = 'listing'
         and product_key = (select min(product_key) from marts.dim_product_extra where name = 'rating')
       order by valid_from`,
      [name],
    );
  beforeAll(async () => {
    await night(nights[0]!);
    await night(nights[1]!, [{ kind: 'renamedField', field: 'averageRating', to: 'stars' }]);
    await night(nights[2]!, [{ kind: 'renamedField', field: 'reviewCount', to: 'averageRating' }]);
    await night(nights[3]!);
  });

  test('a replay fills named fields from all archived nights with their history', async () => {
    const replay = ['replay', '--from', nights[0]!, '--to', nights[3]!, '--region', 'uk', '--apply'];
    expect(await pricebook(replay, three)).toMatchObject({ code: 0 });
    const usual = (await spells('rating'))[0]!.value;
    expect(await spells('rating')).toEqual([
      { from: nights[0], to: nights[1], value: usual },
      { from: nights[2], to: nights[3], value: expect.stringMatching(/^\d+$/) },
      { from: nights[3], to: null, value: usual },
    ]);
  });

  test('a value that does not fit its type is left out', async () => {
    expect(await spells('counted')).toEqual([]);
  });
});
