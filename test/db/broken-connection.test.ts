import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { ServerUnreachable } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { createDatabase } from '../../src/db/client.ts';

/** One message of PostgreSQL's protocol, version 3: its letter, its length, its body. */
function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** "You are in", "I am ready", and, in the same breath, "I am being shut down". */
const welcomeAndFarewell = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')),
]);

describe('a server that closes connections on accept', () => {
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(welcomeAndFarewell));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/shop`;
  });
  afterAll(() => server.close());

  it('a connection closed on accept fails the query without ending the process', async () => {
    const db = createDatabase({ url, applicationName: 'test' });
    await expect(db.query('select 1')).rejects.toThrow(ServerUnreachable);
    await db.end();
  });

  it('a connection closed on accept fails opening the queue without ending the process', async () => {
    const log = createLog({ level: 'silent' });
    await expect(openPostgresStore(url, log)).rejects.toThrow(ServerUnreachable);
  });
});
