import { crawlNights } from '../../src/cli/crawl-nights.ts';
import { readDetailsBacklog } from '../../src/crawl/status/details-backlog.ts';
import { planNights } from '../../src/crawl/status/plan-night.ts';
import { withBook } from './book.ts';
import { onlyPricesMove } from './changed-night.ts';
import type { Figure } from './figure.ts';
import { startUpstream } from './upstream.ts';

const requestsANight = 40_000;
/** A tenth of the products: what a night may ask for on top of the pages. */
const detailsShare = 0.1;

/**
 * The second night of a region whose details are known, on a plan of 40,000 requests a night, when one product in a
 * hundred changes: what it asks for beside asking for every product, whether every changed product is among it, and how
 * far off its forecast was.
 */
export const plan: Figure = {
  name: 'plan',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, ...onlyPricesMove, dailyChange: 0.01 });
    const env = { GROCERY_MONTHLY_QUOTA: String(requestsANight * 31) };
    try {
      return await withBook({ upstream, date: '2026-03-01', env }, async ({ base, crawler, clock, night }) => {
        const first = await night('2026-03-01');
        // As if the first night had been able to ask for all of them.
        await base.db.query(
          `insert into ops.detail_visit (product_key, visited_at) select product_key, $1 from catalog.product on conflict do nothing`,
          [first.run.observedAt],
        );
        await base.db.query('analyze ops.detail_visit');
        clock.setTo('2026-03-02');
        await upstream.change({ date: '2026-03-02' });
        const maxDetails = Math.round(items * detailsShare);
        const { terms, assumedProducts, maxAgeDays } = crawler.context.settings;
        const startedAt = performance.now();
        const backlog = await readDetailsBacklog(base.db, 'uk', { now: clock.now(), limit: maxDetails, maxAgeDays });
        const seconds = (performance.now() - startedAt) / 1_000;
        const needs = { now: clock.now(), terms, maxDetails, assumedProducts, regions: ['uk'] as const };
        const [forecast] = await planNights(base.db, { ...needs, backlog: new Map([['uk', backlog]]) });
        const { signal } = new AbortController();
        const [run] = await crawlNights(base, crawler, { regions: ['uk'], maxDetails, signal });
        const { rows } = await base.db.query<{ changed: number; asked: number }>(
          `select count(*)::int as changed, (count(*) filter (where exists (
             select from ops.detail_fetch d join catalog.product p using (product_id)
             where d.run_id = $2 and p.product_key = h.product_key and d.status = 'done')))::int as asked
           from catalog.price_history h where h.valid_to = $1`,
          [run!.observedAt, run!.runId],
        );
        const { changed, asked } = rows[0]!;
        const spent = run!.requestsSpent!;
        const told = forecast!.requests;
        const { rows: sent } = await base.db.query<{ endpoint: string; sent: number }>(
          'select endpoint, sum(sent)::int as sent from ops.spend where run_id = $1 group by endpoint order by endpoint',
          [run!.runId],
        );
        say(
          `forecast ${JSON.stringify(told)}, spent ${spent} ${JSON.stringify(sent)}, ${asked} of ${changed} changed products refreshed`,
        );
        const share = (value: number, aim: number, is: 'at most' | 'at least') => ({
          value,
          unit: '%',
          target: { is, aim, floor: aim },
        });
        return [
          {
            what: 'requests / one a product, second night',
            ...share((100 * spent) / run!.productsListed!, 10, 'at most'),
            from: `${spent} requests, ${run!.productsListed} products`,
          },
          {
            what: 'changed products whose details were refreshed',
            ...share((100 * asked) / Math.max(1, changed), 100, 'at least'),
            from: `${asked} of ${changed}`,
          },
          {
            what: 'forecast, off by',
            ...share((100 * Math.abs(told.total - spent)) / spent, 10, 'at most'),
            from: `${told.total} forecast, ${spent} spent`,
          },
          {
            what: 'choosing among all details',
            value: seconds,
            unit: 's',
            target: null,
            from: `${backlog.known} products with details`,
          },
        ];
      });
    } finally {
      await upstream.close();
    }
  },
};
