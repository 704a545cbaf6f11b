import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { abandonRun } from '../../src/crawl/ledger/end-run.ts';
import { createRuns } from '../../src/crawl/ledger/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSpend } from '../../src/gateway/limits/spend.ts';
import { amountOf, unknownSubscription } from '../../src/source/listings/index.ts';
import { question } from '../gateway/upstream.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { listingLimits } from '../support/listing-limits.ts';
import { openRun } from '../support/open-run.ts';

const database = useDatabase();

const limits = listingLimits({
  monthlyQuota: 100,
  reserve: 0,
  windows: [{ windowMs: 3_600_000, units: 50 }],
  weights: { 'uk-category-page': 2 },
  subscription: {
    ...unknownSubscription,
    plan: {
      name: 'Pro',
      isFree: false,
      pricePerMonth: amountOf('10', 'USD'),
    },
  },
});

function openSpend(more: Partial<typeof limits> = {}, db: Database = database.db) {
  const listing = { ...limits, ...more };
  return createSpend({
    db,
    clock: systemClock,
    listings: { grocery: listing, stores: listing, property_1: listing, property_2: listing },
  });
}

async function counted() {
  const [row] = await rowsOf(
    database.db,
    `select sum(sent)::int as sent, sum(units)::int as units, sum(cost)::float8 as cost, sum(ok)::int as ok,
       sum(aborted)::int as aborted,
       (select used::int from ops.listing) as month,
       (select sum(used)::int from ops.listing_window where window_ms = 3600000) as hour from ops.spend`,
  );
  return row;
}

test('a request that certainly was not sent is not counted, and one that may have been sent is', async () => {
  await forgetEverything(database.db);
  const spend = openSpend();
  for (const kind of ['ok', 'unsent', 'aborted', 'unsent', 'unsent'] as const) {
    const reservation = await spend.reserve(question);
    if (kind !== 'unsent') spend.sent(reservation);
    await spend.settle(reservation, { kind });
  }
  await spend.close();
  expect(await counted()).toEqual({ sent: 2, units: 4, cost: 0.4, ok: 1, aborted: 1, month: 4, hour: 4 });
});

test('a reservation is returned once, even if the answer of the database is lost', async () => {
  await forgetEverything(database.db);
  const spend = openSpend();
  const reservations = [await spend.reserve(question), await spend.reserve(question)];
  await spend.settle(reservations[0]!, { kind: 'ok' });
  await database.db.query('alter function ops.settle rename to away');
  await spend.settle(reservations[1]!, { kind: 'unsent' });
  await expect(spend.close()).rejects.toThrow();
  expect(await counted()).toMatchObject({ month: 4 });
  await database.db.query('alter function ops.away rename to settle');
  await spend.close();
  await spend.close();
  expect(await counted()).toMatchObject({ sent: 1, month: 2 });
});

test('a returned reservation is returned to its run as well, even if the run is over', async () => {
  await forgetEverything(database.db);
  const { runId } = await openRun(database.db);
  const spend = openSpend();
  const ofRun = { ...question, runId };
  const reservations = [await spend.reserve(ofRun), await spend.reserve(ofRun)];
  await spend.settle(reservations[0]!, { kind: 'ok' });
  await abandonRun({ db: database.db, runs: createRuns(database.db) }, runId, new Date());
  const spentByRun = async () => (await rowsOf(database.db, 'select requests_spent from ops.run'))[0];
  await spend.settle(reservations[1]!, { kind: 'unsent' });
  await spend.close();
  expect(await spentByRun()).toEqual({ requests_spent: 1 });
});
