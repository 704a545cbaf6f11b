import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createRedisStore } from '../../src/crawl/queue/store.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

test('a Redis that drops jobs when memory is short is refused, with the required setting', async () => {
  const url = await redisOf('allkeys-lru');
  const opening = createRedisStore(url, { warn() {} });
  await expect(opening).rejects.toMatchObject({ name: 'ConfigInvalid', exitCode: 78 });
  await expect(opening).rejects.toThrow('maxmemory-policy is allkeys-lru');
});

test.skipIf(!isRedisInstalled)(
  'a Redis without the database of the URL is refused, and no other database is used',
  async () => {
    const redis = await startRedis(['--databases', '4']);
    const said: unknown[] = [];
    try {
      const opening = createRedisStore(`${redis.url}/9`, { warn: (_, line) => said.push(line) });
      await expect(opening).rejects.toMatchObject({ name: 'ConfigInvalid', exitCode: 78 });
      await expect(opening).rejects.toThrow('REDIS_URL: the server has no database 9');
      expect(said).toEqual([]);
      await (await createRedisStore(`${redis.url}/3`, { warn() {} })).close();
    } finally {
      await redis.stop();
    }
  },
);

/** Implements enough of the protocol to report the policy, even without redis-server. */
async function redisOf(policy: string): Promise<string> {
  const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      // Commands may arrive together: each begins with the number of its words.
      for (const command of bytes.toString().split(/(?=\*\d+\r\n)/)) {
        if (/\bconfig\b/i.test(command)) socket.write(`*2\r\n${bulk('maxmemory-policy')}${bulk(policy)}`);
        else if (/\binfo\r\n/i.test(command)) socket.write(bulk('redis_version:7.2.0\r\nloading:0\r\n'));
        else socket.write('+OK\r\n');
      }
    });
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
