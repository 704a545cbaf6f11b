import { expect, test } from 'vitest';
import { groceryTerms } from '../../src/app/compose/settings.ts';
import { loadConfig } from '../../src/app/config.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { plan } from '../../src/questions/plan.ts';
import { misreadingProducts } from '../replay/mistaken.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';
import { nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';

const book = useReplayedBook({ items: 120, superDepartments: 2 }, ['uk']);
const penceAsPounds = misreadingProducts((product) => ({
  ...product,
  priceMinor: product.priceMinor === null ? null : product.priceMinor * 100,
}));

async function planOf(now: Date, env: Record<string, string> = {}) {
  const config = loadConfig({ PRICEBOOK_HOME: book.home, ...env }, { cwd: book.home });
  const { nights, month } = await plan(book.installation.db, {
    now,
    terms: groceryTerms(config),
    maxDetails: 0,
    maxAgeDays: 90,
    assumedProducts: 150_000,
    regions: ['uk'],
  });
  return { ...nights[0]!, month };
}

async function spentByAll(): Promise<number> {
  const [row] = await rowsOf<{ sent: number }>(
    book.installation.db,
    'select coalesce(sum(sent), 0)::int as sent from ops.spend',
  );
  return row!.sent;
}

test('a region whose nights are all held is planned by the requests of the last one', async () => {
  const [first] = await book.crawl('2026-03-28', { endpointsOf: penceAsPounds }, 0);
  expect(first!.status).toBe('held');
  const before = await spentByAll();
  const { requests, notes } = await planOf(nightOf('2026-03-29'));
  const [second] = await book.crawl('2026-03-29', { endpointsOf: penceAsPounds }, 0);
  expect(second!.status).toBe('held');
  expect(requests.total).toBe((await spentByAll()) - before);
  expect(notes.join()).not.toContain('no night is known yet');
});

test('a quota that resets within the hour does not limit a night, which waits for it', async () => {
  const { db } = book.installation;
  await forgetEverything(db);
  const now = nightOf('2026-03-30');
  const told = (remaining: number, minutes: number) =>
    db.query(
      `insert into ops.listing (listing, host, quota_limit, quota_remaining, quota_resets_at, quota_seen_at)
       values ('grocery', 'host', 10, $1, $2::timestamptz + $3 * interval '1 minute', $2)
       on conflict (listing) do update set quota_limit = 10, quota_remaining = $1, quota_seen_at = $2, quota_key = null,
         quota_resets_at = excluded.quota_resets_at`,
      [remaining, now, minutes],
    );
  await told(3, 20 * 1_440);
  const limited = await planOf(now);
  expect(limited.requests.total).toBeLessThanOrEqual(3);
  expect(limited.notes.join()).toContain('will be partial');
  expect(limited.month).toMatchObject({ nightsLeft: 20, isQuotaSufficient: false });
  await told(3, 20);
  const whole = await planOf(now);
  expect(whole.requests.total).toBeGreaterThan(3);
  expect(whole.notes.join()).not.toContain('will be partial');
  await told(0, 20);
  expect((await planOf(now)).notes).toEqual([expect.stringMatching(/^the quota is used up .*until 2026-03-30/)]);
  await db.query('delete from ops.listing');
});
