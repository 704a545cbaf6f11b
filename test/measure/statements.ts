import pg from 'pg';
import { withBook } from '../bench/book.ts';
import { startUpstream } from '../bench/upstream.ts';
import type { Size } from './sizes.ts';

const items = 2_000;
const nights = ['2026-03-01', '2026-03-02'];

/**
 * Measures SQL statements per request, including the queue's, over two nights of one region, from opening to
 * derivation.
 */
export async function statementsPerRequest(): Promise<Size[]> {
  const counter = countStatements();
  const upstream = await startUpstream({ items });
  try {
    return await withBook({ upstream, date: nights[0]! }, async ({ night }) => {
      const sizes: Size[] = [];
      for (const date of nights) {
        const before = counter.statements();
        await upstream.resetLog();
        await night(date);
        const statements = counter.statements() - before;
        const requests = (await upstream.log()).total;
        sizes.push({
          what: `SQL statements per request, ${items.toLocaleString('en-GB')} products, night of ${date}`,
          value: `${(statements / requests).toFixed(2)} (${statements} / ${requests})`,
        });
      }
      return sizes;
    });
  } finally {
    await upstream.close();
    counter.stop();
  }
}

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
