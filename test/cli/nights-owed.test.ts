import { beforeAll, describe, expect, test } from 'vitest';
import { withOwnCommand } from '../../src/cli/hint.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { writePromotionBook } from '../derive/promotion-book.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

describe('nights that an earlier version derived by other rules', () => {
  const database = useDatabase();
  const household = useHousehold();
  const run = (...args: string[]) => household.run(args, { DATABASE_URL: database.url });
  const owed = withOwnCommand('3 nights are still to be derived by a worker; `pricebook migrate` derives them now');

  beforeAll(async () => {
    const cases = [{ prices: '1:200', promotions: ['2- £1.50 Clubcard Price'], prior: 'not_enough_nights' }];
    await writePromotionBook(database.db, 'uk', cases, { runs: ['1', '2', '3'], partial: [], firstKey: 1 });
    await deriveNights(database.db, 'uk');
    // As the migration does that gives the table new columns.
    await database.db.query('truncate derived.promotion_start');
    await database.db.query('update derived.night set rules = rules - 1');
  });

  test.each([
    ['promotions'],
    ['index', '--region', 'uk'],
    ['pack-changes', '--region', 'uk'],
    ['compare', '--date', '2026-01-03'],
  ])('%s reports nights still to be derived instead of missing data', async (...args) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(0);
    expect(stderr).toContain(`${owed}. Results of those nights are missing here.`);
    expect(stderr).not.toMatch(/^No |There is no/m);
    expect((await run(...args, '--json')).stderr).toContain(owed);
  });

  test('status and doctor report nights still to be derived', async () => {
    expect((await run('status')).stdout).toContain(`  ${owed}`);
    const { regions } = JSON.parse((await run('status', '--json')).stdout);
    expect(regions.map((each: Record<string, unknown>) => [each['region'], each['nights_to_derive']])).toEqual([
      ['uk', 3],
      ['ie', 0],
    ]);
    expect((await run('doctor')).stdout).toContain(`WARNING  derived        ${owed}`);
  });

  test('migrate derives all outstanding nights again', async () => {
    expect((await run('migrate')).stderr).toMatch(/^uk: deriving 3 nights.*\nuk: 3 nights derived\.\n$/);
    const { stdout, stderr } = await run('promotions');
    expect(stdout).toContain('Clubcard Price');
    expect(stderr).toBe('');
    expect((await run('status')).stdout).not.toContain('to be derived');
    expect((await run('doctor')).stdout).toContain('ok       derived        every certified night');
    expect((await run('migrate')).stderr).toBe('Nothing to do: the schema is up to date.\n');
  });
});
