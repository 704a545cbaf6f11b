import { type Night, withBook } from './book.ts';
import { copyRows } from './copy-rows.ts';
import { fetchPages, listPages } from './fetch-pages.ts';
import type { Figure, Measured } from './figure.ts';
import { startUpstream } from './upstream.ts';

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
        await fetchPages(upstream.url, pages);
        const fetchBefore = await fetchPages(upstream.url, pages);
        const first = await night('2026-03-01');
        say(`first night ${summaryOf(first)}`);
        const copied = await copyRows(base.db);
        say(`copied ${copied.rows} rows of ${copied.tables.join(', ')} in ${copied.seconds.toFixed(1)} s`);
        const later = await night('2026-03-02');
        say(`unchanged night ${summaryOf(later)}`);
        const fetch = Math.min(fetchBefore, await fetchPages(upstream.url, pages));
        return [
          ratio('first night: (fetch + copy) / night', fetch + copied.seconds, first, 0.6, 0.5),
          ratio('unchanged night: fetch / night', fetch, later, 0.5, 0.4),
          derived('first', first, 10, 15),
          derived('unchanged', later, 2, 3),
        ];
      });
    } finally {
      await upstream.close();
    }
  },
};

const ratio = (what: string, seconds: number, night: Night, aim: number, floor: number): Measured => ({
  ...{ what, value: seconds / night.seconds, unit: '', target: { is: 'at least', aim, floor } },
  from: `${seconds.toFixed(1)} s / ${night.seconds.toFixed(1)} s, ${night.run.productsListed} products`,
});

const derived = (which: string, night: Night, aim: number, floor: number): Measured => ({
  ...{ what: `derived from the ${which} night`, value: night.secondsAfter, unit: 's' },
  target: { is: 'at most', aim, floor },
  from: 'from publication to the end of the command, content hash included',
});

const summaryOf = ({ seconds, secondsAfter, cpuSeconds }: Night): string =>
  `published in ${seconds.toFixed(1)} s; hashed and derived in ${secondsAfter.toFixed(1)} s more ` +
  `(${cpuSeconds.toFixed(1)} s of this process)`;
