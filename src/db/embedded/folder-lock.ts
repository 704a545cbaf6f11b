import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerFailed } from '../../base/errors.ts';

/** Milliseconds to wait for the lock. Its holder may wait for crash recovery, which takes minutes on a slow disk. */
const limitMs = 11 * 60_000;

/**
 * Runs `act` while no other command starts or stops the folder's server. The lock is a listening socket, so the kernel
 * releases it whichever way the command ends.
 */
export async function withFolderLock<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
  const address = addressOf(folder);
  const deadline = performance.now() + limitMs;
  let unlock = await tryLock(address);
  while (unlock === null) {
    if (performance.now() > deadline)
      throw new EmbeddedServerFailed('another command has been starting it for too long');
    await sleep(20);
    unlock = await tryLock(address);
  }
  try {
    return await act();
  } finally {
    await unlock();
  }
}

function tryLock(address: string): Promise<(() => Promise<void>) | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isHeld = error.code === 'EADDRINUSE' || (error.code === 'EACCES' && process.platform === 'win32');
      if (!isHeld) return reject(error);
      void removeLeftOver(address).then(() => resolve(null));
    });
    server.listen(address, () => resolve(() => new Promise((closed) => server.close(() => closed()))));
  });
}

/** Removes the socket file of a killed command, on platforms where sockets are files. */
function removeLeftOver(address: string): Promise<void> {
  if (!address.startsWith('/')) return Promise.resolve();
  return new Promise((resolve) => {
    const probe = connect(address, () => resolve(void probe.destroy()));
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') unlinkSync(address);
      resolve();
    });
  });
}

/**
 * Address of the lock. Linux and Windows have names outside the file system; elsewhere it is a file of at most 103
 * characters (macOS, sys/un.h).
 */
function addressOf(folder: string): string {
  const name = `pricebook-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const file = join(folder, 'lock.sock');
  return Buffer.byteLength(file) <= 103 ? file : `/tmp/${name}.sock`;
}
