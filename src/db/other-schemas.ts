import type { Database, Transaction } from './client.ts';

/**
 * A database that rewrites every statement before sending it, so that callers work on other schemas unknowingly. `end`
 * leaves the shared pool open.
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

/** Wraps a connection. Its `query` takes texts and COPY streams, whose statement is in `text`. */
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

/** Size of the cache of rewritten statements. Fixed statements recur; generated ones must not fill it. */
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
