import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisServer, startRedis } from './redis-server.ts';

/** Whether this machine can make a cluster of its redis-server. */
export const isRedisClusterInstalled = spawnSync('redis-cli', ['--version'], { stdio: 'ignore' }).status === 0;

export interface RedisCluster {
  /** Of any node. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

/** A Redis Cluster of one's own, of three nodes. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-cluster-'));
  const nodes: RedisServer[] = [];
  const stop = async () => {
    for (const node of nodes) await node.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (let i = 0; i < 3; i += 1) {
      const file = join(folder, `nodes-${i}.conf`);
      const settings = ['--cluster-enabled', 'yes', '--cluster-config-file', file, '--cluster-node-timeout', '2000'];
      nodes.push(await startRedis([...settings, '--dir', folder, '--dbfilename', `${i}.rdb`]));
    }
    const addresses = nodes.map(({ url }) => new URL(url).host);
    const made = spawnSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`no cluster: ${made.stdout}${made.stderr}`);
    // Each node learns of the others on its own.
    for (const node of nodes) await until(async () => String(await node.send('CLUSTER', 'INFO')).includes('state:ok'));
    return { url: nodes[0]!.url, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}
