import { type Night, withBook } from './book.ts';
import { copyRows } from './copy-rows.ts';
import { fetchPages, listPages } from './fetch-pages.ts';
import type { Figure } from './figure.ts';
import { slowestStatements } from './slowest-statements.ts';
import { startUpstream } from './upstream.ts';

const ratio = { is: 'at least', aim: 0.5, floor: 0.2 } as const;

/** The first night and a night in which nothing changed, beside what fetching and copying alone would take. */
export const wholeNights: Figure = {
  name: 'nights',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, evolve: false });
    try {
      return await withBook({ upstream, date: '2026-03-01' }, async ({ base, night }) => {
        await upstream.change({ date: '2026-03-01' });
        const pages = await listPages(upstream.url);
        // The first pass warms both processes; of those around the nights the faster counts, which is the stricter
        // choice.
        await fetchPages(upstream.url, pages, 'read');
        const fetchBefore = await fetchPages(upstream.url, pages, 'read');
        const parseBefore = await fetchPages(upstream.url, pages, 'parse');
        say(`fetch and read ${fetchBefore.toFixed(1)} s, fetch and parse ${parseBefore.toFixed(1)} s`);

        const first = await night('2026-03-01');
        say(`first night ${summaryOf(first)}`);
        say(slowestStatements(first.publication));
        const copied = await copyRows(base.db);
        say(`copied ${copied.rows} rows of ${copied.tables.join(', ')} in ${copied.seconds.toFixed(1)} s`);

        const unchanged = await night('2026-03-02');
        say(`unchanged night ${summaryOf(unchanged)}`);
        say(slowestStatements(unchanged.publication));
        const fetchAfter = await fetchPages(upstream.url, pages, 'read');
        const parseAfter = await fetchPages(upstream.url, pages, 'parse');
        say(`fetch and read ${fetchAfter.toFixed(1)} s, fetch and parse ${parseAfter.toFixed(1)} s`);

        const fetch = Math.min(fetchBefore, fetchAfter);
        const parse = Math.min(parseBefore, parseAfter);
        const products = first.run.productsListed!;
        const requests = first.run.requestsSpent!;
        return [
          {
            what: 'first night: (fetch + copy) / night',
            value: (fetch + copied.seconds) / first.seconds,
            unit: '',
            target: ratio,
            from:
              `(${fetch.toFixed(1)} s + ${copied.seconds.toFixed(1)} s) / ${first.seconds.toFixed(1)} s, ` +
              `${products} products`,
          },
          {
            what: 'unchanged night: fetch / night',
            value: fetch / unchanged.seconds,
            unit: '',
            target: ratio,
            from: `${fetch.toFixed(1)} s / ${unchanged.seconds.toFixed(1)} s`,
          },
          {
            what: 'first night, fetch without contract and normalisers',
            value: (parse + copied.seconds) / first.seconds,
            unit: '',
            target: null,
            from: `(${parse.toFixed(1)} s + ${copied.seconds.toFixed(1)} s) / ${first.seconds.toFixed(1)} s`,
          },
          {
            what: 'unchanged night, likewise',
            value: parse / unchanged.seconds,
            unit: '',
            target: null,
            from: `${parse.toFixed(1)} s / ${unchanged.seconds.toFixed(1)} s`,
          },
          {
            what: 'publication of the first night',
            value: first.publication.seconds,
            unit: 's',
            target: null,
            from: 'begin to commit',
          },
          {
            what: 'publication of the unchanged night',
            value: unchanged.publication.seconds,
            unit: 's',
            target: null,
            from: 'begin to commit',
          },
          {
            what: 'after the first night: content hash, and everything that is derived',
            value: first.secondsAfter,
            unit: 's',
            target: null,
            from: 'commit to the end of the command',
          },
          {
            what: 'after the unchanged night, likewise',
            value: unchanged.secondsAfter,
            unit: 's',
            target: null,
            from: 'commit to the end of the command',
          },
          {
            what: 'requests / fewest possible',
            value: requests / Math.ceil(products / 24),
            unit: '',
            target: { is: 'at most', aim: 1.1, floor: 1.2 },
            from: `${requests} requests, taxonomy included, for ${products} products on pages of 24`,
          },
        ];
      });
    } finally {
      await upstream.close();
    }
  },
};

function summaryOf({ seconds, secondsAfter, cpuSeconds, publication }: Night): string {
  const published = `published in ${seconds.toFixed(1)} s, of that publication ${publication.seconds.toFixed(2)} s`;
  return (
    `${published}; hashed and derived in ${secondsAfter.toFixed(1)} s more (${cpuSeconds.toFixed(1)} s of this ` +
    'process)'
  );
}
