import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Askable } from '../../src/db/client.ts';
import { createSpendCounts } from '../../src/limits/spend-counts.ts';
import { withDatabase } from '../support/database.ts';

const hour = new Date('2026-03-05T12:00:00Z');
const reservation = { listing: 'grocery', endpoint: 'uk-category-page', region: 'uk', runId: 7, hour } as const;

test('every outcome is counted once, however often a connection is lost before or after a commit', async () => {
  await withDatabase(async ({ db }) => {
    const step = fc.record({
      outcomes: fc.integer({ min: 0, max: 3 }),
      lost: fc.constantFrom('nothing', 'question', 'answer'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await db.query('truncate ops.spend');
        const counts = createSpendCounts();
        let outcomes = 0;
        for (const { outcomes: more, lost } of steps) {
          for (let i = 0; i < more; i++) counts.add(reservation, 'ok');
          outcomes += more;
          await counts.write(losing(db, lost), hour).catch(() => undefined);
        }
        await counts.write(db, hour);
        const { rows } = await db.query(
          'select coalesce(sum(ok), 0)::int as ok, coalesce(sum(sent), 0)::int as sent from ops.spend',
        );
        expect(rows[0]).toEqual({ ok: outcomes, sent: outcomes });
      }),
      { numRuns: 40 },
    );
  });
});

/** The database over a connection that breaks at this point of a statement. */
function losing(db: Askable, what: string): Askable {
  return {
    async query(text, values) {
      if (what === 'question') throw new Error('connection lost');
      const result = await db.query(text, values);
      if (what === 'answer') throw new Error('connection lost');
      return result as never;
    },
  };
}
