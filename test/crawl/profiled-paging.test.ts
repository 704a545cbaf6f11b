import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { useDatabase } from '../support/database.ts';

/** Irish pages with a total but without a page size, which a probe counts. */
const unsized = {
  items: 150,
  superDepartments: 1,
  date: '2026-03-01',
  iePageInformation: 'unsized',
  evolve: false,
} as const;

const database = useDatabase();
const { run } = useHousehold();
let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator(unsized);
});
afterAll(() => simulator.close());

const crawledWith = async (date: string) => {
  simulator.resetLog();
  const { code } = await at(date, 'crawl', '--region', 'ie', '--max-details', '0');
  const asked = simulator.log({ full: true }).requests!.filter(({ path }) => path.includes('/ireland-category-page'));
  return { code, requests: asked.length };
};

async function at(date: string, ...command: string[]) {
  return run(['--now', date, ...command], {
    DATABASE_URL: database.url,
    GROCERY_BASE_URL: simulator.url,
  });
}

/** Pages that hold the categories of the last run, and the sizes its ledger counts with. */
async function lastRun(pageSize: number) {
  const categories = await rowsOf<{ declared: number; told: number }>(
    database.db,
    `select declared_last as declared, results_per_page as told from ops.category_crawl
     where run_id = (select max(run_id) from ops.run) and category_no = root_no`,
  );
  const fewest = categories.reduce((sum, { declared }) => sum + Math.ceil(declared / pageSize), 0);
  return { fewest, sizes: new Set(categories.map(({ told }) => told)) };
}

test('after a probe found larger pages, they are used without requests past the end', async () => {
  simulator.change({ pageSize: 48 });
  const without = await crawledWith('2026-03-01');
  expect((await at('2026-03-01T12:00:00Z', 'probe', '--yes')).code).toBe(0);
  const withProfile = await crawledWith('2026-03-02');

  const { fewest, sizes } = await lastRun(48);
  expect(sizes).toEqual(new Set([48]));
  expect(withProfile).toEqual({ code: 0, requests: fewest });
  expect(without.requests).toBeGreaterThan(fewest);
});

test('after a probe found smaller pages, all of them are requested once', async () => {
  simulator.change({ pageSize: 12 });
  expect((await at('2026-03-02T12:00:00Z', 'probe', '--yes')).code).toBe(0);
  const { code, requests } = await crawledWith('2026-03-03');

  const { fewest, sizes } = await lastRun(12);
  expect({ code, sizes }).toEqual({ code: 0, sizes: new Set([12]) });
  expect(requests).toBe(fewest);
});
