import pg from 'pg';
import { withBook } from './book.ts';
import type { Figure } from './figure.ts';
import { startUpstream } from './upstream.ts';

const items = 2_000;

/** SQL statements of a later night of one region, including the queue's, from opening to derivation. */
export const statements: Figure = {
  name: 'statements',
  async run() {
    let sent = 0;
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      sent += 1;
      return Reflect.apply(query, this, args);
    } as typeof query;
    const upstream = await startUpstream({ items });
    try {
      return await withBook({ upstream, date: '2026-03-01' }, async ({ night }) => {
        await night('2026-03-01');
        sent = 0;
        await night('2026-03-02');
        return [
          {
            ...{ what: `SQL statements of a night of ${items}`, value: sent, unit: '' },
            target: { is: 'at most', aim: 150, floor: 250 },
            from: 'every client of this process',
          },
        ];
      });
    } finally {
      await upstream.close();
      pg.Client.prototype.query = query;
    }
  },
};
