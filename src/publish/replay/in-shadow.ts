import type { Database, Transaction } from '../../db/client.ts';
import { toShadow } from './shadow-names.ts';

/**
 * A database that rewrites every statement before sending it, so that callers work on the shadow unknowingly. `end`
 * leaves the shared pool open.
 */
export function inShadow(db: Database): Database {
  return {
    url: db.url,
    pool: db.pool,
    query: (text, values) => db.query(toShadow(text), values),
    tx: (run, options) => db.tx((tx) => run(onTransaction(tx)), options),
    withClient: (use) => db.withClient((client) => use(onClient(client))),
    end: async () => undefined,
  };
}

function onTransaction(tx: Transaction): Transaction {
  return {
    client: onClient(tx.client),
    query: (text, values) => tx.query(toShadow(text), values),
  };
}

/** Wraps a connection. Its `query` takes texts and COPY streams, whose statement is in `text`. */
function onClient<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (property !== 'query') return value.bind(target);
      return (statement: string | { text: string }, ...rest: unknown[]) => {
        if (typeof statement === 'string') return value.call(target, toShadow(statement), ...rest);
        statement.text = toShadow(statement.text);
        return value.call(target, statement, ...rest);
      };
    },
  });
}
