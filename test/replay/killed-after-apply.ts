import type { Database } from '../../src/db/client.ts';

class Killed extends Error {}

export const isKilled = (error: unknown): boolean => error instanceof Killed;

/**
 * A database whose process dies after a replay was applied in it and so many statements or transactions more: each that
 * would follow fails, also those that clear up. A transaction that was begun is rolled back, as if it had not been.
 */
export function killedAfterApply(db: Database, statements: number): Database {
  let isApplied = false;
  let left = statements;
  const live = () => {
    if (isApplied && left <= 0) throw new Killed('killed');
    if (isApplied) left -= 1;
  };
  return {
    ...db,
    async query(text, values) {
      live();
      return db.query(text, values);
    },
    async withClient(use) {
      live();
      return db.withClient(use);
    },
    async tx(run, options) {
      live();
      let applies = false;
      const result = await db.tx(
        (tx) =>
          run({
            ...tx,
            query(text, values) {
              // Keeps the replaced data first.
              applies ||= /^create schema catalog_old_/.test(text);
              return tx.query(text, values);
            },
          }),
        options,
      );
      isApplied ||= applies;
      return result;
    },
  };
}
