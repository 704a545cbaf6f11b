// @ts-check
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The same port as last time while it is free, so that pools of running commands find the server again; otherwise a new one.
 * @param {string} folder
 * @param {{ uid: number, gid: number } | null} owner
 * @returns {Promise<number>}
 */
export async function choosePort(folder, owner) {
  const portFile = join(folder, 'port');
  const last = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
  for (let attempt = 0; last > 0 && attempt < 10; attempt++) {
    if (await isFree(last)) return last;
    await sleep(50);
  }
  // Below the ephemeral ranges (Linux from 32768, others from 49152): a pool that keeps trying a closed ephemeral
  // port of its own machine may end up connected to itself and so occupy it.
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (!(await isFree(port))) continue;
    writeFileSync(portFile, String(port));
    if (owner) chownSync(portFile, owner.uid, owner.gid);
    return port;
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
