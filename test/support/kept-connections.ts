import pg from 'pg';

/** What pg-pool does with a client, and what pg keeps to itself. */
interface PooledClient extends pg.Client {
  readonly _queryable: boolean;
  _getActiveQuery(): unknown;
  ref(): void;
  unref(): void;
}
interface Pool {
  readonly options: Readonly<Record<string, unknown>>;
  Client: unknown;
}

const pools = Object.getPrototypeOf(pg.Pool.prototype) as { newClient(this: Pool, pending: unknown): void };
const connectAnew = pools.newClient;
/** The one that was used last is last. */
let kept: { readonly key: string; readonly client: PooledClient; readonly end: () => void }[] = [];
/** A night uses about twenty; the server has three hundred for all workers. */
const maxKept = 40;

/**
 * From now on, in this process, connections outlive their pool. Every night of a test opens its pools anew, and the
 * first statements of a connection cost more than all that follow: the server forks, reads its catalog, and compiles
 * the functions of the queue. What the session knew is discarded; a connection that broke, or that is at work, ends as
 * always.
 */
export function keepConnections(): void {
  pools.newClient = function newClient(pending) {
    const { connectionString, application_name, options } = this.options;
    // A template database must have no connections while it is cloned.
    if (application_name === 'template') return connectAnew.call(this, pending);
    const key = JSON.stringify([connectionString, application_name, options]);
    const known = this.Client as new (options: object) => PooledClient;
    const client = take(key) ?? outliving(new known(this.options), key);
    this.Client = function sameClient() {
      return client;
    };
    try {
      connectAnew.call(this, pending);
    } finally {
      this.Client = known;
    }
  };
}

function take(key: string): PooledClient | null {
  const found = kept.findLast((other) => other.key === key)?.client ?? null;
  kept = kept.filter(({ client }) => client !== found);
  return found;
}

function outliving(client: PooledClient, key: string): PooledClient {
  const connect = client.connect.bind(client);
  const end = client.end.bind(client);
  let isConnected = false;
  const forget = () => {
    isConnected = false;
    kept = kept.filter((other) => other.client !== client);
  };
  const own = {
    connect(callback: (error: Error) => void) {
      if (isConnected) {
        client.ref();
        return process.nextTick(callback);
      }
      return connect((error: Error) => {
        isConnected = !error;
        callback(error);
      });
    },
    end(callback: (error?: Error) => void = () => undefined) {
      if (!isConnected || !client._queryable || client._getActiveQuery()) return end(callback as () => void);
      client.removeAllListeners();
      client.on('error', forget).on('end', forget);
      client.query('discard all', (error) => {
        if (error) return end(callback as () => void);
        kept.push({ key, client, end: () => end(() => undefined) });
        if (kept.length > maxKept) kept.shift()?.end();
        // Not awaited.
        client.unref();
        callback();
      });
    },
  };
  return Object.assign(client, own);
}
