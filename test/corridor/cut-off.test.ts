import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, type Installation, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const catalogue = { items: 300, seed: 11, superDepartments: 3, dailyChange: 0.5, dailyTurnover: 0.01 };
const [day, nextDay, weekLater] = ['2026-04-01', '2026-04-02', '2026-04-08'] as const;
const [sleeper, wokenOn] = ['2026-04-09', '2026-04-10'] as const;
const [stuckOn, afterStuck] = ['2026-04-11', '2026-04-13'] as const;

let simulator: Simulator;
beforeAll(async () => {
  simulator = await createSimulator(catalogue);
});
afterAll(() => simulator.close());

describeOnEachQueue('a crawl that was cut off', (installation) => {
  test('an interrupted crawl continues a few hours later under its original date', async () => {
    await cutOff(installation, new Date(`${day}T20:00:00Z`), day);
    const before = simulator.log().total;
    const runs = await crawl(installation, new Date(`${nextDay}T03:00:00Z`), day);
    expect(runs).toEqual([`${day} published complete`]);
    expect(simulator.log().total).toBeGreaterThan(before);
    expect(await disagreements(installation.db, simulator, 'uk', day)).toEqual([]);
  });

  test('a crawl resumed days later keeps its data uncertified, and tonight is crawled', async () => {
    await cutOff(installation, nightOf(nextDay), nextDay);
    const runs = await crawl(installation, nightOf(weekLater), weekLater);
    expect(runs).toEqual([`${nextDay} published partial`, `${weekLater} published complete`]);
    expect(await disagreements(installation.db, simulator, 'uk', weekLater)).toEqual([]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
    // Nothing of a week later is dated with the night that was cut off.
    const late = await rowsOf(
      installation.db,
      `select from ops.category_page p
       join ops.run r using (run_id)
       where r.snapshot_date = $1 and p.fetched_at > r.started_at + interval '1 day'`,
      [nextDay],
    );
    expect(late).toEqual([]);
  });

  test('a crawl suspended for half a day past midnight is not certified', async () => {
    await cutOff(installation, new Date(`${sleeper}T20:00:00Z`), sleeper);
    await installation.db.query(
      `update ops.category_page p set fetched_at = fetched_at - interval '6 hours'
       from ops.run r where r.run_id = p.run_id and r.status = 'open'`,
    );
    const runs = await crawl(installation, new Date(`${wokenOn}T03:00:00Z`), wokenOn);
    expect(runs).toEqual([`${sleeper} published partial`]);
    const [certificate] = await rowsOf<{ reasons: string[] }>(
      installation.db,
      'select reasons from ops.certificate order by run_id desc limit 1',
    );
    expect(certificate!.reasons).toContain(
      `nothing was read for 12 hours, until ${wokenOn}; pages read later belong to another night`,
    );
  });

  test('an interrupted crawl that cannot finish does not block the other region', async () => {
    await cutOff(installation, nightOf(stuckOn), stuckOn);
    const { db } = installation;
    await db.query(`
      create function ops.refuse_certificate() returns trigger language plpgsql as $$
      begin
        if (select region = 'uk' from ops.run where run_id = new.run_id) then raise 'no room'; end if;
        return new;
      end $$;
      create trigger refuse before insert on ops.certificate for each row execute function ops.refuse_certificate()`);
    simulator.change({ date: afterStuck });
    const night = { installation, upstream: simulator.url, now: nightOf(afterStuck) };
    await expect(crawlNight(night)).rejects.toThrow();
    const runs = await rowsOf<{ run: string }>(
      db,
      `select concat_ws(' ', region, snapshot_date, status, verdict) as run
       from ops.run
       where snapshot_date >= $1
       order by 1`,
      [stuckOn],
    );
    expect(runs.map(({ run }) => run)).toEqual([`ie ${afterStuck} published complete`, `uk ${stuckOn} open`]);
  });
});

/** Stops a crawl at work, as a signal does. */
async function cutOff(installation: Installation, now: Date, date: string): Promise<void> {
  simulator.resetLog();
  simulator.change({ date, faults: [{ kind: 'slow', ms: 100 }] });
  const stop = new AbortController();
  const crawled = crawlNight({
    installation,
    upstream: simulator.url,
    now,
    regions: ['uk'],
    signal: stop.signal,
    env: { REQUEST_CONCURRENCY: '1' },
  });
  const ended = crawled.then(
    () => 'to its end',
    () => 'cut off',
  );
  while ((await pagesRead(installation)) < 4 && (await Promise.race([ended, sleep(20)])) === undefined);
  stop.abort(new Error('the terminal was closed'));
  expect(await ended).toBe('cut off');
  simulator.change({ date, faults: [] });
}

async function pagesRead({ db }: Installation): Promise<number> {
  const [row] = await rowsOf<{ pages: number }>(
    db,
    `select count(*)::int as pages
     from ops.category_page
     join ops.run using (run_id)
     where run.status = 'open' and category_page.status = 'done'`,
  );
  return row!.pages;
}

async function crawl(installation: Installation, now: Date, date: string): Promise<string[]> {
  simulator.change({ date });
  const runs = await crawlNight({ installation, upstream: simulator.url, now, regions: ['uk'] });
  return runs.map(({ snapshotDate, status, verdict }) => `${snapshotDate} ${status} ${verdict}`);
}
