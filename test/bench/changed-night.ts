import { withBook } from './book.ts';
import type { Figure } from './figure.ts';
import { slowestStatements } from './slowest-statements.ts';
import { startUpstream } from './upstream.ts';

/** A catalogue in which only prices change, so that the number of changes is exactly as configured. */
export const onlyPricesMove = {
  dailyTurnover: 0,
  flicker: 0,
  unavailable: 0,
  promoted: 0,
  earlyPromotions: 0,
} as const;

/** How long publication takes when two products in a hundred have another price than the night before. */
export const changedNight: Figure = {
  name: 'changed',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, ...onlyPricesMove, dailyChange: 0.02 });
    try {
      return await withBook({ upstream, date: '2026-03-01' }, async ({ base, night }) => {
        await night('2026-03-01');
        const changed = await night('2026-03-02');
        const { rows } = await base.db.query<{ changes: number }>(
          'select count(*)::int as changes from catalog.price_history where valid_to = $1',
          [changed.run.observedAt],
        );
        say(slowestStatements(changed.publication));
        const { changes } = rows[0]!;
        const share = ((100 * changes) / changed.run.productsListed!).toFixed(1);
        return [
          {
            what: 'publication of a night with 2 % changes',
            value: changed.publication.seconds,
            unit: 's',
            target: { is: 'at most', aim: 1, floor: 3 },
            from:
              `${changes} of ${changed.run.productsListed} products (${share} %); begin to commit; ` +
              `the whole night ${changed.seconds.toFixed(1)} s`,
          },
        ];
      });
    } finally {
      await upstream.close();
    }
  },
};
