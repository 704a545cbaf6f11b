import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { abandonRun } from '../../src/crawl/ledger/end-run.ts';
import { openNight } from '../../src/crawl/open-night.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';

const installation = useInstallation();
const date = '2026-03-01';
let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator({ items: 60, superDepartments: 3, date });
});
afterAll(() => simulator.close());

test('a run that cannot be finished because of a bug is retried with increasing delays', async () => {
  const { db } = installation;
  await db.query(`create function public.oops() returns trigger language plpgsql as $$ begin raise 'oops'; end $$`);
  await db.query('create trigger oops before insert on ops.certificate execute function public.oops()');

  await withCrawler({ installation, upstream: simulator.url, now: nightOf(date) }, async (_, { context }) => {
    for (const region of ['uk', 'ie'] as const) {
      const run = await openNight(context, { region, maxDetails: 0, origin: 'schedule' });
      if (region === 'ie') await abandonRun(context, run!.runId, nightOf(date));
      else await context.dispatch(run!.runId);
    }
    const rests: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [run] = await until(() => read(`reason = 'failure' and detail = 'oops'`));
      rests.push(Math.round((run!.until.getTime() - context.clock.now().getTime()) / 10_000) * 10);
      await db.query(`update ops.stop set until = until - interval '1 hour' where scope = 'run'`);
      if (round === 2) await db.query('drop trigger oops on ops.certificate');
      await watchRuns.run({}, context, new AbortController().signal);
    }
    expect(rests).toEqual([30, 60, 120]);
    await until(() => read(`status = 'published' and verdict = 'complete'`));
  });
});

interface Found {
  readonly until: Date;
}

function read(condition: string): Promise<Found[]> {
  return rowsOf<Found>(
    installation.db,
    `select until from ops.run left join ops.stop on scope = 'run' and scope_id = run_id::text
     where region = 'uk' and ${condition}`,
  );
}

async function until(look: () => Promise<Found[]>): Promise<Found[]> {
  for (;;) {
    const found = await look();
    if (found.length > 0) return found;
    await sleep(50);
  }
}
