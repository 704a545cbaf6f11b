import type { Database, Transaction } from './client.ts';

/**
 * The same database, every statement rewritten before it is sent: what is handed this runs on other schemas without
 * knowing. `end` leaves the pool open, it is not ours.
 */
export function inOtherSchemas(db: Database, rewrite: (sql: string) => string): Database {
  const rewritten = remember(rewrite);
  const onClient = <Client extends object>(client: Client): Client => withQuery(client, rewritten);
  return {
    url: db.url,
    pool: db.pool,
    query: (text, values) => db.query(rewritten(text), values),
    tx: (run, options) => db.tx((tx) => run(onTransaction(tx)), options),
    withClient: (use) => db.withClient((client) => use(onClient(client))),
    end: async () => undefined,
  };

  function onTransaction(tx: Transaction): Transaction {
    return {
      client: onClient(tx.client),
      query: (text, values) => tx.query(rewritten(text), values),
    };
  }
}

/** A connection whose `query` takes texts and COPY streams, which keep theirs in `text`. */
function withQuery<Client extends object>(client: Client, rewrite: (sql: string) => string): Client {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property !== 'query') return value.bind(target);
      return (statement: string | { text: string }, ...rest: unknown[]) => {
        if (typeof statement === 'string') return value.call(target, rewrite(statement), ...rest);
        statement.text = rewrite(statement.text);
        return value.call(target, statement, ...rest);
      };
    },
  });
}

/** The program's statements are few and come again and again; those made up on the way must not pile up. */
const remembered = 1_000;

function remember(rewrite: (sql: string) => string): (sql: string) => string {
  const known = new Map<string, string>();
  return (sql) => {
    let answer = known.get(sql);
    if (answer === undefined) {
      answer = rewrite(sql);
      if (known.size < remembered) known.set(sql, answer);
    }
    return answer;
  };
}
