import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawlNights } from '../../src/cli/crawl-nights.ts';
import type { Database } from '../../src/db/client.ts';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { withBook } from './book.ts';
import type { Figure } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const firstNight = '2026-03-01';
const daysOfMonth = 31;
const pageSize = 24;

/** One night on one plan; requests are scaled to a region with this number of products. */
interface Case {
  readonly name: string;
  readonly maxDetails: number;
  readonly env?: (items: number) => Readonly<Record<string, string>>;
  /** Behaviour of the upstream on that night only. */
  readonly faults?: Parameters<Upstream['change']>[0]['faults'];
}

const perNight = (requests: number) => ({ GROCERY_MONTHLY_QUOTA: String(Math.round(requests * daysOfMonth)) });
const details = (share: number, items: number) => Math.round(items * share);

/** Ten nights after the first, each with its own plan, in order in one database. */
const nightsOf = (items: number): readonly Case[] => [
  {
    name: '40,000 requests a night for 300,000 products',
    maxDetails: details(0.1, items),
    env: () => perNight((items * 40_000) / 300_000),
  },
  { name: 'no details', maxDetails: 0 },
  { name: 'few details', maxDetails: details(0.005, items) },
  {
    name: '300 requests a second and a tenth of all details',
    maxDetails: details(0.1, items),
    env: () => ({ GROCERY_REQUESTS_PER_SECOND: '300' }),
  },
  {
    name: 'a quota that leaves pages and few details',
    maxDetails: details(0.1, items),
    env: () => perNight((items / pageSize) * 1.4),
  },
  {
    name: 'details that count five times',
    maxDetails: details(0.1, items),
    env: () => ({
      GROCERY_WEIGHTS: 'uk-product-details=5',
      ...perNight((items / pageSize) * 2.5),
    }),
  },
  {
    name: 'a run capped at one and a half times its pages',
    maxDetails: details(0.2, items),
    env: () => ({ RUN_CAPS: `total=${Math.round((items / pageSize) * 1.5)}` }),
  },
  {
    name: 'one category page in fifty fails',
    maxDetails: details(0.05, items),
    faults: [{ kind: 'vendor502', endpoint: 'category-page', probability: 0.02 }],
  },
  {
    name: 'a quota for six tenths of the pages',
    maxDetails: details(0.1, items),
    env: () => perNight((items / pageSize) * 0.6),
  },
  { name: 'no limit, after a night that read a part', maxDetails: details(0.1, items) },
];

/** The first night has no history: its forecast states its assumptions. */
const first = (items: number): Case => ({ name: 'first night', maxDetails: details(0.1, items) });

/**
 * How far the forecast of a run, kept when it opened, was off what it then spent: ten nights of one book after its
 * first, each on another plan.
 */
export const forecasts: Figure = {
  name: 'forecasts',
  async run({ items: most, say }) {
    const items = Math.min(most, mostItems);
    const upstream = await startUpstream({ items });
    const home = mkdtempSync(join(tmpdir(), 'pricebook-bench-'));
    chmodSync(home, 0o755);
    const measured: { readonly name: string; readonly told: number; readonly spent: number; readonly off: number }[] =
      [];
    try {
      for (const [index, { name, maxDetails, env, faults = [] }] of [first(items), ...nightsOf(items)].entries()) {
        const date = daysAfter(firstNight, index);
        await upstream.change({ date, faults });
        const night = await withBook(
          { upstream, date, home, env: { GROCERY_SUBSCRIBED_ON: firstNight, ...env?.(items) } },
          async ({ base, crawler }) => {
            await leaveToEarlierMonths(base.db);
            const { signal } = new AbortController();
            const [run] = await crawlNights(base, crawler, { regions: ['uk'], maxDetails, signal });
            const { rows } = await base.db.query<{ taxonomy: number; listing: number; details: number }>(
              'select taxonomy, listing, details from ops.run_forecast where run_id = $1',
              [run!.runId],
            );
            const { rows: sent } = await base.db.query<{ endpoint: string; sent: number }>(
              `select endpoint, sum(sent)::int as sent
               from ops.spend
               where run_id = $1
               group by endpoint
               order by endpoint`,
              [run!.runId],
            );
            say(`${date} ${name}: forecast ${JSON.stringify(rows[0])}, sent ${JSON.stringify(sent)}, ${run!.verdict}`);
            return { told: rows[0]!.taxonomy + rows[0]!.listing + rows[0]!.details, spent: run!.requestsSpent! };
          },
        );
        if (index > 0) measured.push({ name, ...night, off: (100 * Math.abs(night.told - night.spent)) / night.spent });
      }
    } finally {
      await upstream.close();
      await removeEmbedded(home);
      rmSync(home, { recursive: true, force: true });
    }
    return measured.map(({ name, told, spent, off }) => ({
      what: `forecast off by: ${name}`,
      value: off,
      unit: '%',
      target: { is: 'at most' as const, aim: 10, floor: 10 },
      from: `${told} forecast, ${spent} spent; ${items} products`,
    }));
  },
};

/** Each night has its own plan, so requests of earlier nights do not count in its month. */
async function leaveToEarlierMonths(db: Database): Promise<void> {
  await db.query('update ops.listing set month_starts_at = null, month_ends_at = null');
  await db.query(`update ops.spend set hour = hour - interval '40 days'`);
}

/** Ten nights of more than this take most of an hour and say the same. */
const mostItems = 30_000;
