import { beforeAll, describe, expect, test } from 'vitest';
import { withOwnCommand } from '../../src/cli/hint.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { countNightsOwed } from '../../src/followers/derive/owed-nights.ts';
import { writePromotionBook } from '../derive/promotion-book.ts';
import { useDatabase } from '../support/database.ts';
import { useCliHome } from './pricebook.ts';

describe('nights that an earlier version derived by other rules', () => {
  const database = useDatabase();
  const cliHome = useCliHome();
  const run = (...args: string[]) => cliHome.run(args, { DATABASE_URL: database.url });
  const owed = withOwnCommand('3 nights are still to be derived by a worker; `pricebook migrate` derives them now');

  beforeAll(async () => {
    const cases = [{ prices: '1:200', promotions: ['2- £1.50 Clubcard Price'], prior: 'not_enough_nights' }];
    await writePromotionBook(database.db, 'uk', cases, { runs: ['1', '2', '3'], partial: [], firstKey: 1 });
    await deriveNights(database.db, 'uk');
    await makeOwed();
  });
  const makeOwed = async () => {
    // As the migration does that gives the table new columns.
    await database.db.query('truncate derived.promotion_start');
    await database.db.query('update derived.night set rules = rules - 1');
  };

  test.each([
    ['promotions'],
    ['index', '--region', 'uk'],
    ['pack-changes', '--region', 'uk'],
    ['compare', '--date', '2026-01-03'],
  ])('%s reports nights still to be derived instead of missing data', async (...args) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(0);
    expect(stderr).toContain(`${owed}. Until then, this answer lacks rows.`);
    expect(stderr).not.toMatch(/^No |There is no/m);
    expect((await run(...args, '--json')).stderr).toContain(owed);
  });

  test('status reports nights still to be derived', async () => {
    expect((await run('status')).stdout).toContain(`  ${owed}`);
    const { regions } = JSON.parse((await run('status', '--json')).stdout);
    expect(regions.map((each: Record<string, unknown>) => [each['region'], each['nights_to_derive']])).toEqual([
      ['uk', 3],
      ['ie', 0],
    ]);
  });

  test('a worker without a scheduler derives them', async () => {
    const worker = cliHome.start(['--now', '2026-03-01T03:00:00Z', 'work'], { DATABASE_URL: database.url });
    await worker.until(/"msg":"working"/);
    await expect.poll(async () => countNightsOwed(database.db, 'uk'), { timeout: 60_000, interval: 250 }).toBe(0);
    worker.process.kill('SIGTERM');
    expect((await worker.ended).code).toBe(143);
    await makeOwed();
  });

  test('migrate derives all outstanding nights again', async () => {
    expect((await run('migrate')).stderr).toMatch(/^uk: deriving 3 nights.*\nuk: 3 of 3 nights derived\n$/);
    const { stdout, stderr } = await run('promotions');
    expect(stdout).toContain('Clubcard Price');
    expect(stderr).not.toContain('to be derived');
    expect((await run('status')).stdout).not.toContain('to be derived');
    expect((await run('migrate')).stderr).toBe('Nothing to do: the schema is up to date.\n');
  });
});
