import pg from 'pg';
import { withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { startUpstream } from './upstream.ts';

const items = 2_000;
const nights = ['2026-03-01', '2026-03-02'];

/** SQL statements per request, including the queue's, over two nights of one region, from opening to derivation. */
export const statements: Figure = {
  name: 'statements',
  async run() {
    const counter = countStatements();
    const upstream = await startUpstream({ items });
    try {
      return await withBook({ upstream, date: nights[0]! }, async ({ night }) => {
        const measured: Measured[] = [];
        for (const date of nights) {
          const before = counter.statements();
          await upstream.resetLog();
          await night(date);
          const sent = counter.statements() - before;
          const requests = (await upstream.log()).total;
          measured.push({
            what: `SQL statements per request, night of ${date}`,
            value: sent / requests,
            unit: '',
            target: { is: 'at most', aim: 0.5, floor: 1 },
            from: `${sent} statements, ${requests} requests, ${items} products`,
          });
        }
        return measured;
      });
    } finally {
      await upstream.close();
      counter.stop();
    }
  },
};

/** Counts the statements of every client in this process. */
function countStatements(): { statements(): number; stop(): void } {
  let statements = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    statements += 1;
    return Reflect.apply(query, this, args);
  } as typeof query;
  return {
    statements: () => statements,
    stop() {
      pg.Client.prototype.query = query;
    },
  };
}
