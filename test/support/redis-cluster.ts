import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort, startRedis } from './redis-server.ts';

/** A Redis Cluster of three on this machine, without replicas. */
export interface RedisCluster {
  /** Of each node. */
  readonly urls: readonly string[];
  readonly pids: readonly number[];
  /** Keys on each node. */
  keys(): Promise<string[][]>;
  stop(): Promise<void>;
}

const nodes = 3;
/** A node listens for the others ten thousand above its own port. */
const highestPort = 55_000;

export async function startRedisCluster(settings: readonly string[] = []): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-cluster-'));
  const servers: Awaited<ReturnType<typeof startRedis>>[] = [];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    while (servers.length < nodes) {
      const port = await freePort();
      if (port > highestPort) continue;
      const cluster = ['--cluster-enabled', 'yes', '--cluster-config-file', join(folder, `${port}.conf`)];
      servers.push(await startRedis([...cluster, '--cluster-node-timeout', '5000', ...settings], port));
    }
    const addresses = servers.map(({ url }) => new URL(url).host);
    const made = spawnSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`redis-cli made no cluster: ${made.stdout}${made.stderr}`);
    const urls = servers.map(({ url }) => url);
    for (const url of urls) await until(url, (client) => client.cluster('INFO'), /^cluster_state:ok/m);
    return {
      urls,
      pids: servers.map(({ pid }) => pid),
      keys: () => Promise.all(urls.map((url) => asClient(url, (client) => client.keys('*')))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function until(url: string, ask: (client: Redis) => Promise<unknown>, answer: RegExp): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (answer.test(String(await asClient(url, ask)))) return;
    await sleep(50);
  }
  throw new Error(`the cluster is not ready at ${url}`);
}

async function asClient<Result>(url: string, use: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis(url);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}
