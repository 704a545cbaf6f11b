import { afterAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type FaultRule } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { useInstallation } from '../support/queue-backends.ts';

const installation = useInstallation();
const cliHome = useCliHome();
const simulator = await createSimulator({ items: 120, superDepartments: 2, date: '2026-03-01' });
afterAll(() => simulator.close());

test('nights after an applied replay go on with the extra fields', async () => {
  const env = () => ({
    DATABASE_URL: installation.databaseUrl,
    GROCERY_BASE_URL: simulator.url,
    EXTRA_FIELDS: 'rating=reviews.averageRating:number',
  });
  const crawl = async (date: string, faults: FaultRule[] = []) => {
    simulator.change({ date, faults });
    const args = ['--now', `${date}T02:00:00Z`, 'crawl', '--region', 'uk', '--max-details', '0'];
    expect(await cliHome.run(args, env())).toMatchObject({ code: 0, stderr: expect.not.stringContaining('failed') });
  };
  const values = () =>
    rowsOf<{ id: string; value: string }>(
      installation.db,
      `select product_id as id, value from marts.dim_product_extra where name = 'rating' and valid_to is null
       order by 1`,
    );
  await crawl('2026-03-01');
  const usual = await values();
  expect(usual.length).toBeGreaterThan(80);
  await crawl('2026-03-02', [{ kind: 'renamedField', field: 'reviewCount', to: 'averageRating' }]);
  const other = await values();
  expect(other).not.toEqual(usual);
  const replay = ['replay', '--from', '2026-03-01', '--to', '2026-03-02', '--region', 'uk', '--apply'];
  expect(await cliHome.run(replay, env())).toMatchObject({ code: 0 });
  expect(await values()).toEqual(other);
  await crawl('2026-03-03');
  const known = new Map(usual.map(({ id, value }) => [id, value]));
  const now = await values();
  expect(now.length).toBeGreaterThan(80);
  for (const { id, value } of now) expect(value).toBe(known.get(id) ?? value);
});
