import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/**
 * Whether this machine has a redis-server (Debian: `apt-get install redis-server`; the continuous integration installs
 * it).
 */
export const isRedisInstalled = spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  flush(): Promise<void>;
  /** Sends one command, such as `REPLICAOF`, `NO`, `ONE`. */
  send(command: string, ...args: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * A Redis of one's own, on a free port unless one is named, in memory only unless `settings` say otherwise, that never
 * evicts.
 */
export async function startRedis(settings: readonly string[] = [], at?: number): Promise<RedisServer> {
  const port = at ?? (await freePort());
  const server = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--maxmemory-policy',
      'noeviction',
      ...settings,
    ],
    { stdio: 'ignore' },
  );
  const url = `redis://127.0.0.1:${port}`;
  await answering(server, url);
  return {
    url,
    pid: server.pid!,
    async flush() {
      await asClient(url, (client) => client.flushall());
    },
    send: (command, ...args) => asClient(url, (client) => client.call(command, ...args)),
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
}

async function answering(server: ChildProcess, url: string): Promise<void> {
  for (let attempt = 0; server.exitCode === null && attempt < 200; attempt += 1) {
    const isThere = await asClient(url, (client) => client.ping()).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await sleep(50);
  }
  throw new Error('redis-server did not start');
}

async function asClient<Result>(url: string, use: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
