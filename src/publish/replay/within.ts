import type { Database, Transaction } from '../../db/client.ts';

/** A database whose transactions are parts of an open one. */
export function within(db: Database, tx: Transaction): Database {
  return {
    ...db,
    orm: tx.orm,
    query: (text, values) => tx.query(text, values),
    tx: (run) => run(tx),
    withClient: (use) => use(tx.client),
  };
}
