import { NodePgDatabase, NodePgSession } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import { valueTypes } from './value-types.ts';

/** drizzle's query builder. Rows are typed by the tables; transactions are begun by `Database.tx`. */
export type Orm = Omit<NodePgDatabase, 'transaction'>;

/** Runs one statement of the builder. */
type Run = (statement: pg.QueryConfig, values: unknown[]) => Promise<pg.QueryResult>;

const dialect = new PgDialect({ casing: 'snake_case' });

/** The builder over a pool or a transaction. Statements fail with the same errors as those without it. */
export function ormOver(run: Run): Orm {
  const client = { query: (statement: pg.QueryConfig, values: unknown[]) => run(statement, values) };
  return new NodePgDatabase(dialect, new Session(client as pg.PoolClient, dialect, undefined), undefined);
}

class Session extends NodePgSession<Record<string, never>, Record<string, never>> {
  override prepareQuery: NodePgSession<Record<string, never>, Record<string, never>>['prepareQuery'] = (
    ...prepared
  ) => {
    const query = NodePgSession.prototype.prepareQuery.apply(this, prepared);
    const { rawQueryConfig, queryConfig } = query as unknown as Record<string, pg.QueryConfig>;
    rawQueryConfig!.types = valueTypes;
    queryConfig!.types = valueTypes;
    // Errors would be wrapped, and the kind of an error would be lost.
    Object.assign(query, { queryWithCache: (_text: string, _values: unknown[], ask: () => Promise<unknown>) => ask() });
    return query as never;
  };
}
