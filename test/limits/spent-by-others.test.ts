import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSpend } from '../../src/gateway/limits/spend.ts';
import type { Outcome } from '../../src/gateway/spend.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { listingLimits } from '../support/listing-limits.ts';

const asked = {
  listing: 'grocery',
  endpoint: 'uk-category-page',
  region: 'uk',
  paths: ['/'],
  query: {},
  runId: null,
} as const;
const quotaLimit = 100;

const book = useDatabase();

function openSpend(db: Database = book.db) {
  const limits = listingLimits({ monthlyQuota: quotaLimit, weights: { 'uk-category-page': 2 } });
  return createSpend({
    db,
    clock: systemClock,
    listings: { grocery: limits, stores: limits, property_1: limits, property_2: limits },
  });
}

/** A response after which the upstream has counted this number of units. */
const counting = (used: number): Outcome => ({
  kind: 'ok',
  quota: { limit: quotaLimit, remaining: quotaLimit - used, resetsAt: null },
});

async function spentByOthers(): Promise<number> {
  const [row] = await rowsOf<{ units: number }>(
    book.db,
    'select used_by_others::int as units from ops.listing where listing = $1',
    ['grocery'],
  );
  return row!.units;
}

test('requests of others are known exactly while requests of this database wait for their turn', async () => {
  await forgetEverything(book.db);
  const spend = openSpend();
  const first = await spend.reserve(asked);
  const waiting = await spend.reserve(asked);
  spend.sent(first);
  await spend.settle(first, counting(7));
  // Reserved after the response but before its counts are written.
  const next = await spend.reserve(asked);
  await spend.close();
  expect(await spentByOthers()).toBe(5);

  for (const reservation of [waiting, next]) {
    spend.sent(reservation);
    await spend.settle(reservation, counting(11));
  }
  await spend.close();
  expect(await spentByOthers()).toBe(5);
});

test('requests of others are known exactly while the answer to a reservation is late', async () => {
  await forgetEverything(book.db);
  let lateMs = 0;
  const query: Database['query'] = async (...asking) => {
    const isReservation = String(asking[0]).includes('ops.reserve');
    const rows = await book.db.query(...asking);
    if (isReservation) await sleep(lateMs);
    return rows as never;
  };
  const spend = openSpend({ ...book.db, query });
  const first = await spend.reserve(asked);
  spend.sent(first);
  lateMs = 500;
  await spend.settle(first, counting(7));
  const next = spend.reserve(asked);
  await expect.poll(spentByOthers).not.toBe(0);
  expect(await spentByOthers()).toBe(5);
  await spend.settle(await next, { kind: 'aborted' });
  await spend.close();
});

test('a request that is cancelled before it is sent makes room in the month for another', async () => {
  await forgetEverything(book.db);
  const spend = openSpend();
  const [first, givenUp] = [await spend.reserve(asked), await spend.reserve(asked)];
  await spend.settle(givenUp, { kind: 'aborted' });
  spend.sent(first);
  await spend.settle(first, counting(7));
  await spend.close();
  expect(await spentByOthers()).toBe(3);
});

test('an answer without quota headers leaves the requests of others unchanged', async () => {
  await forgetEverything(book.db);
  const spend = openSpend();
  for (const outcome of [counting(7), { kind: 'failed', what: 'the connection was cut' }, { kind: 'ok' }] as const) {
    const reservation = await spend.reserve(asked);
    spend.sent(reservation);
    await spend.settle(reservation, outcome);
    await spend.close();
  }
  expect(await spentByOthers()).toBe(5);
});
