import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { regionCodes } from '../../src/base/model/index.ts';
import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { createChance } from '../support/chance.ts';
import { type Installation, nightOf } from '../support/crawl.ts';
import { withDatabase } from '../support/database.ts';
import { businessDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { madeOnce } from '../support/made-once.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { startChild } from '../support/start-child.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const chance = createChance(Number(process.env['SEED'] ?? 1));

const catalogue = { items: 400, seed: 7, superDepartments: 4, dailyChange: 0.1, dailyTurnover: 0.01 };
const nights = ['2026-04-01', '2026-04-02'] as const;
const maxDetails = 16;
const concurrency = 4;
const kills = 2;

let simulator: Simulator;
/** Result of the same nights without interruption, for both queues. */
let expected: Awaited<ReturnType<typeof undisturbed>>;
/** And how many requests they take. */
let expectedRequests: number;
beforeAll(async () => {
  simulator = await createSimulator(catalogue);
  expected = await undisturbed();
  expectedRequests = simulator.log().total;
});
afterAll(() => simulator.close());

describeOnEachQueue('a crawl that is killed again and again', killedAgainAndAgain, {
  from: firstNight,
  isForEachTest: true,
});

function killedAgainAndAgain(installation: Installation): void {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-resume-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('a crawl killed repeatedly ends as if uninterrupted, without repeated requests', {
    timeout: 240_000,
  }, async () => {
    simulator.resetLog();
    // Slow enough that a crawl can be met at work.
    simulator.change({ date: nights[1], faults: [{ kind: 'slow', ms: 100 }] });
    /** Finished units in the ledger when the process died, and the number of requests until then. */
    const doneAt = new Map<string, number>();
    for (let kill = 1; kill <= kills; kill += 1) {
      const child = start();
      const moment = Math.round((kill - 0.2 - chance.number() * 0.6) * (expectedRequests / kills));
      await Promise.race([asked(moment), child.ended]);
      expect(child.process.exitCode).toBe(null);
      await child.kill();
      const log = requestsOf();
      for (const done of await doneSoFar(installation.db)) doneAt.set(done, doneAt.get(done) ?? log.length);
    }
    const { how, stdout, stderr } = await start().ended;
    expect(how, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      regionCodes.map((region) => ({ region, status: 'published', verdict: 'complete' })),
    );

    expect(doneAt.size).toBeGreaterThan(expectedRequests / 3);
    const askedAgain = requestsOf().filter((asked, index) => index >= (doneAt.get(asked) ?? Number.POSITIVE_INFINITY));
    expect(askedAgain).toEqual([]);
    for (const region of regionCodes) {
      expect(await disagreements(installation.db, simulator, region, nights[1])).toEqual([]);
    }
    expect(await brokenInvariants(installation.db)).toEqual([]);
    expect(await businessDump(installation.db)).toEqual(expected);
    const left = await rowsOf(installation.db, `select status from ops.category_page where status <> 'done'`);
    expect(left).toEqual([]);
  });

  function start() {
    const { databaseUrl, queue = {} } = installation;
    return startChild({
      installation: { databaseUrl, queue },
      upstream: simulator.url,
      now: nightOf(nights[1]).toISOString(),
      regions: regionCodes,
      maxDetails,
      home,
      env: { REQUEST_CONCURRENCY: String(concurrency) },
    });
  }
}

async function asked(requests: number): Promise<void> {
  while (simulator.log().total < requests) await sleep(20);
}

/** Requested category pages and details in order: `uk b;… 3`, `ie 123`. */
function requestsOf(): string[] {
  return simulator.log({ full: true }).requests!.map(({ path }) => {
    const url = new URL(path, simulator.url);
    const region = url.pathname.startsWith('/ireland') ? 'ie' : 'uk';
    return [region, ...['categoryId', 'pageNo', 'productId'].flatMap((name) => url.searchParams.get(name) ?? [])].join(
      ' ',
    );
  });
}

async function doneSoFar(sql: Queryable): Promise<string[]> {
  const rows = await rowsOf<{ done: string }>(
    sql,
    `with run as (select run_id, region from ops.run where snapshot_date = $1)
     select region || ' ' || category_id || ' ' || page_no as done
     from run
     join ops.category_page p using (run_id)
     join ops.category_crawl using (run_id, category_no)
     where p.status = 'done'
     union all
     select region || ' ' || product_id from run join ops.detail_fetch d using (run_id) where d.status = 'done'`,
    [nights[1]],
  );
  return rows.map(({ done }) => done);
}

/** The database of a book that has the first of the two behind it. */
function firstNight(): Promise<string> {
  return madeOnce('resume', (installation) => crawl(installation, nights[0]));
}

/** Result of the second night in a separate database. */
function undisturbed(): Promise<Record<string, readonly string[]>> {
  return withDatabase(
    async (database) => {
      simulator.resetLog();
      await crawl({ databaseUrl: database.url }, nights[1]);
      return businessDump(database.db);
    },
    { from: firstNight },
  );
}

async function crawl(installation: Omit<Installation, 'db'>, date: string): Promise<void> {
  simulator.change({ date });
  await crawlDirectly({ installation, upstream: simulator.url, date, maxDetails });
}
