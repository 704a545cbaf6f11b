import type { Database, Transaction } from '../../src/db/client.ts';

/** A publication as the server saw it. */
export interface WatchedPublication {
  /** From begin to commit. */
  readonly seconds: number;
  /** On the clock of `performance`. */
  readonly committedAt: number;
  readonly statements: readonly { readonly text: string; readonly seconds: number }[];
}

/** The same database, with the time of every transaction that publishes noted. */
export function watchPublications(db: Database): { db: Database; publications: WatchedPublication[] } {
  const publications: WatchedPublication[] = [];
  const tx: Database['tx'] = async (run, options) => {
    const startedAt = performance.now();
    let statements: { text: string; seconds: number }[] = [];
    const result = await db.tx((transaction) => {
      statements = [];
      return run(noting(transaction, (text, seconds) => statements.push({ text, seconds })));
    }, options);
    if (statements.some(({ text }) => text.includes('create temporary table winner'))) {
      const committedAt = performance.now();
      publications.push({ seconds: (committedAt - startedAt) / 1_000, committedAt, statements });
    }
    return result;
  };
  return { db: { ...db, tx }, publications };
}

function noting(tx: Transaction, note: (text: string, seconds: number) => void): Transaction {
  return {
    ...tx,
    async query(text, values) {
      const startedAt = performance.now();
      const result = await tx.query<never>(text, values);
      note(text, (performance.now() - startedAt) / 1_000);
      return result;
    },
  };
}
