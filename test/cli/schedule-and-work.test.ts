import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { regionsOwed } from '../../src/followers/derive/owed-nights.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { useHousehold } from './pricebook.ts';

const book = useInstallation('PostgreSQL');
const { run, start } = useHousehold({ book });
const atThree = ['--now', '2026-03-01T03:00:00Z'];

interface Listed {
  readonly runs: readonly {
    region: string;
    snapshot_date: string;
    status: string;
    certificate: string;
    origin: string;
  }[];
}

test('schedule opens the due night of both regions, and two workers crawl it once', async () => {
  const scheduler = start([...atThree, 'schedule', '--items', '60']);
  await scheduler.until(/"msg":"keeping the schedule"/);
  const workers = [1, 2].map(() => start([...atThree, 'work', '--items', '60']));

  let runs: Listed['runs'] = [];
  for (let waited = 0; waited < 240; waited++) {
    const { stdout } = await run(['runs', '--json']);
    runs = (JSON.parse(stdout) as Listed).runs;
    if (runs.length > 0 && runs.every(({ status }) => status === 'published')) break;
    await sleep(500);
  }
  expect(runs.map(({ region }) => region).sort()).toEqual(['ie', 'uk']);
  for (const each of runs) {
    expect(each).toMatchObject({ snapshot_date: '2026-03-01', certificate: 'complete', origin: 'schedule' });
  }

  // A scheduler that starts later finds the night taken.
  const another = start([...atThree, 'schedule', '--items', '60']);
  await another.until(/"msg":"keeping the schedule"/);
  await sleep(1_000);
  for (const { process } of [scheduler, another, ...workers]) process.kill('SIGTERM');
  for (const { ended } of [scheduler, another, ...workers]) expect((await ended).code).toBe(143);
  const after = await run(['runs', '--json']);
  expect((JSON.parse(after.stdout) as Listed).runs).toHaveLength(2);
});

test('a worker without a scheduler derives nights that have older rules', async () => {
  const { db } = book;
  for (const region of regionCodes) await deriveNights(db, region);
  await db.query('update derived.night set rules = rules - 1');
  expect(await regionsOwed(db)).toEqual(['uk', 'ie']);
  const worker = start([...atThree, 'work', '--items', '60']);
  await worker.until(/"msg":"working"/);
  await expect.poll(() => regionsOwed(db), { timeout: 60_000, interval: 250 }).toEqual([]);
  worker.process.kill('SIGTERM');
  expect((await worker.ended).code).toBe(143);
});
