import { withBook } from './book.ts';
import type { Figure } from './figure.ts';
import { openOver } from './pages.ts';
import { startUpstream } from './upstream.ts';

interface Page {
  readonly tables: { readonly asof: { readonly rows: readonly unknown[] } };
  readonly next: string | null;
}

/** A walk through all products of a night by `next`, during which the next night is crawled and published. */
export const walk: Figure = {
  name: 'walk',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, dailyChange: 0.02 });
    try {
      return await withBook({ upstream, date: '2026-03-01' }, async ({ base, clock, night }) => {
        await night('2026-03-01');
        const explorer = await openOver(base.db, clock);
        try {
          const get = (path: string) => fetch(explorer.url + path);
          const whole = async () => (await get('/api/v1/questions/asof.ndjson?region=uk')).text();
          const expected = await whole();

          let published = false;
          const walked: unknown[] = [];
          const seconds: number[] = [];
          let pagesBefore = 0;
          let crawled: Promise<unknown> | null = null;
          for (let next: string | null = '/api/v1/questions/asof?region=uk&limit=10000'; next !== null; ) {
            const startedAt = performance.now();
            const page = (await (await get(next)).json()) as Page;
            seconds.push((performance.now() - startedAt) / 1_000);
            walked.push(...page.tables.asof.rows);
            next = page.next;
            if (!published) pagesBefore += 1;
            crawled ??= night('2026-03-02').then(() => {
              published = true;
            });
            // The last third is read after the publication.
            if (walked.length >= (items * 2) / 3) await crawled;
          }
          const isWhole = walked.map((row) => `${JSON.stringify(row)}\n`).join('') === expected;
          const isAnother = (await whole()) !== expected;
          if (!isWhole) throw new Error('the walk differs from the night on which it began');
          if (!isAnother) throw new Error('nothing was published during the walk');
          say(
            `${pagesBefore} of ${seconds.length} pages before the publication; rows equal to asof of the first night`,
          );
          return [
            {
              what: 'a walk through all products while a night is published: slowest page',
              value: Math.max(...seconds),
              unit: 's',
              target: null,
              from: `${walked.length} products on ${seconds.length} pages, beside the crawl`,
            },
          ];
        } finally {
          await explorer.close();
        }
      });
    } finally {
      await upstream.close();
    }
  },
};
