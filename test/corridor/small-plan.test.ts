import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { readCertificate } from '../../src/crawl/status/certificates.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';

/** Books that begin on less than a whole night takes: about 45 pages in six departments, the largest of them 14. */
const installation = useInstallation();
let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 900, superDepartments: 6 });
});
afterAll(() => simulator?.close());

/** The last day of a month, so that the whole quota is that night's. */
let date = '2026-03-31';
const nights: { run: Run; asked: number; read: string[]; looked: number; halfRead: number; left: number }[] = [];

async function crawl(quota: number) {
  simulator.change({ date });
  const before = asked();
  const [run] = await crawlNight({
    installation,
    upstream: simulator.url,
    now: nightOf(date),
    clock: 'played',
    regions: ['uk'],
    env: { GROCERY_MONTHLY_QUOTA: String(quota), GROCERY_RESERVE: '0' },
  });
  const [turns] = await rowsOf<{ read: string[]; looked: number; halfRead: number; left: number }>(
    installation.db,
    `with category as (
       select c.category_id, c.is_sample, c.pages_planned, (
         select count(*)
         from ops.category_page p
         where p.run_id = c.run_id and p.category_no = c.category_no and p.status = 'done') as done
       from ops.category_crawl c where c.run_id = $1 and c.root_no = c.category_no
     )
     select coalesce(array_agg(category_id) filter (where not is_sample and done = pages_planned), '{}') as read,
       (count(*) filter (where is_sample))::int as looked,
       (count(*) filter (where not is_sample and done < pages_planned))::int as "halfRead",
       (select count(*)::int from ops.category_deferred where run_id = $1) as left
     from category`,
    [run!.runId],
  );
  const night = { run: run!, asked: asked() - before, ...turns! };
  nights.push(night);
  date = daysAfter(daysAfter(date, 32).slice(0, 8).concat('01'), -1);
  return night;
}

const asked = () => simulator.log().total;

test('with a small plan a first night completes the categories it starts and samples others', async () => {
  const { asked, read, looked, halfRead, left, run } = await crawl(24);
  expect(asked).toBeGreaterThanOrEqual(18);
  expect(asked).toBeLessThanOrEqual(24);
  expect(read.length).toBeGreaterThan(0);
  expect({ halfRead, left }).toEqual({ halfRead: 0, left: 6 - read.length });
  const { reasons } = (await readCertificate(installation.db, run.runId))!;
  expect(reasons.filter((reason) => reason.includes('only its first page was requested tonight'))).toHaveLength(looked);
});

test('all categories are read once after as many nights as their pages need', async () => {
  for (let i = 0; i < 2; i++) await crawl(24);
  expect(new Set(nights.flatMap(({ read }) => read)).size).toBe(6);
  for (const night of nights) expect(night).toMatchObject({ halfRead: 0, run: { verdict: 'partial' } });
});

test("a category larger than a night's budget is read through its children", async () => {
  const { asked, read, run } = await crawl(10);
  expect(asked).toBeLessThanOrEqual(10);
  const [larger] = await rowsOf<{ children: number }>(
    installation.db,
    `select count(*)::int as children from ops.category_deferred d join catalog.category c using (category_id)
     where d.run_id = $1 and c.parent_key is not null`,
    [run.runId],
  );
  expect(larger!.children).toBeGreaterThan(0);
  expect(read.length).toBeGreaterThan(0);
});

test('with enough budget the first night is complete', async () => {
  const { run, left } = await crawl(300);
  expect({ verdict: run.verdict, left }).toMatchObject({ left: 0 });
  expect(run.verdict).not.toBe('partial');
  expect(await brokenInvariants(installation.db)).toEqual([]);
});
