import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { totalmem } from 'node:os';
import { join, parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EmbeddedServerFailed, HomeUnusable } from '../../errors.ts';
import type { DbLog } from '../db-log.ts';
import { isGuardian, proofOf } from './handshake.js';
import { openLog } from './log-file.js';
import type { Place } from './place.ts';
import type { Launch } from './postmaster.js';
import { serverSettings } from './settings.ts';

/** The right to use the server: it runs at least until this is released or the process ends. */
export interface Lease {
  readonly port: number;
  /** Says goodbye; when nobody else uses the server, returns only after it has stopped. */
  release(): Promise<void>;
}

/** From starting a guardian until it answers: 50 ms usually, seconds on a machine that is busy or swapping. */
const knockLimitMs = 30_000;
const stopLimitMs = 60_000;

/** Makes the server run and keeps it running, whatever happens to guardian or server. */
export async function takeLease(place: Place, log: DbLog, extraSettings: Record<string, string> = {}): Promise<Lease> {
  const launch = launchOf(place, extraSettings);
  let isReleased = false;
  let reattaching: Promise<void> | null = null;
  let { socket, port } = await attach(place, launch);
  watch();

  return {
    port,
    async release() {
      isReleased = true;
      await reattaching;
      // Without an answer the guardian was killed first, and nobody would stop the server.
      for (let attempt = 0; attempt < 3 && !(await sayGoodbye(socket)); attempt++) await reattach();
    },
  };

  /** A killed guardian takes the connection with it; another must look after the server, or nobody stops it. */
  function watch() {
    socket.unref();
    socket.once('close', () => {
      if (!isReleased) reattaching = reattach();
    });
  }

  async function reattach() {
    try {
      const next = await attach(place, launch);
      if (next.port !== port) log.warn({ was: port, is: next.port }, 'the embedded PostgreSQL moved to another port');
      ({ socket, port } = next);
      watch();
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the embedded PostgreSQL is lost');
    }
  }
}

/** Stops the server of a place. Throws `EmbeddedServerFailed` while other commands use it. */
export async function stopServer(place: Place): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { socket } = await knock(launchOf(place, {}));
    const closed = closing(socket);
    const answer = listen(socket);
    introduce(socket, place, 'stop');
    await closed;
    const [verb, count] = ((await answer) ?? '').split(' ');
    if (verb === 'gone') return;
    if (verb !== 'in-use') continue;
    throw new EmbeddedServerFailed(`${count === '1' ? 'another command uses' : `${count} other commands use`} it`, {
      advice: 'End them first, then try again; nothing was changed.',
    });
  }
  throw guardianSilent(place);
}

async function attach(place: Place, launch: Launch): Promise<{ socket: Socket; port: number }> {
  // A guardian about to leave closes the door in the middle of a word: the next one serves us.
  for (let attempt = 0; attempt < 5; attempt++) {
    const { socket, started } = await knock(launch);
    const answer = listen(socket);
    const nonce = introduce(socket, place, 'use');
    const [verb, ...words] = ((await answer) ?? '').split(' ');
    if (verb === 'ready') {
      const [port = '', proof = '', pid = ''] = words;
      // Another command's was faster; ours may be so late that it would find nobody and linger.
      if (started && started.pid !== Number(pid)) started.kill();
      if (isGuardian(place.password, nonce, proof)) return { socket, port: Number(port) };
      socket.destroy();
      throw new EmbeddedServerFailed('another process answers in place of its guardian');
    }
    socket.destroy();
    if (verb === 'failed') {
      const unusable = HomeUnusable.of(place.folder, new Error(words.join(' ')));
      if (unusable) throw unusable;
      throw new EmbeddedServerFailed(words.join(' '), {
        advice: `See ${join(place.folder, 'postgres.log')}, or set DATABASE_URL to a server of your own.`,
      });
    }
  }
  throw guardianSilent(place);
}

/** Connects to the guardian, starting one when there is none. Two may start at once; one gives way. */
async function knock(launch: Launch): Promise<{ socket: Socket; started: ChildProcess | null }> {
  const deadline = performance.now() + knockLimitMs;
  let started: ChildProcess | null = null;
  while (performance.now() < deadline) {
    const socket = await tryConnect(launch.address);
    if (socket) return { socket, started };
    if (!started || hasEnded(started)) started = startGuardian(launch);
    await sleep(10);
  }
  throw guardianSilent(launch);
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

function guardianSilent({ folder }: { folder: string }) {
  return new EmbeddedServerFailed('its guardian does not answer', {
    advice: `See ${join(folder, 'guardian.log')}, or set DATABASE_URL to a server of your own.`,
  });
}

async function tryConnect(address: string): Promise<Socket | null> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  socket.on('error', () => {});
  return socket;
}

/** The first line said, or null when the other side hangs up without a word. */
function listen(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let heard = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      heard += chunk;
      if (heard.includes('\n')) resolve(heard.slice(0, heard.indexOf('\n')));
    });
    socket.on('close', () => resolve(null));
  });
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function introduce(socket: Socket, { password }: Place, wish: 'use' | 'stop'): string {
  const nonce = randomBytes(16).toString('hex');
  socket.write(`${wish} ${nonce} ${proofOf(password, 'command', nonce)}\n`);
  return nonce;
}

function startGuardian(launch: Launch): ChildProcess {
  const program = fileURLToPath(new URL('guardian.js', import.meta.url));
  const log = openLog(join(launch.folder, 'guardian.log'), launch.owner);
  // Detached: in a session of its own, Ctrl-C at the terminal does not reach it. An empty environment, so that no key
  // of ours lives on in it.
  const guardian = spawn(process.execPath, ['--max-old-space-size=32', program, JSON.stringify(launch)], {
    cwd: parse(launch.folder).root,
    env: {},
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  guardian.on('error', () => {});
  guardian.unref();
  log.close();
  return guardian;
}

function launchOf({ folder, binaries, owner }: Place, extraSettings: Record<string, string>): Launch {
  return {
    folder,
    bin: join(binaries.folder, 'bin'),
    majorVersion: binaries.version.split('.')[0] ?? '',
    owner,
    settings: { ...serverSettings(totalmem()), ...extraSettings },
    address: addressOf(folder),
  };
}

/**
 * Where the guardian of a folder listens. Linux and Windows have names outside the file system, which are never too long
 * and never left over after a kill; elsewhere a socket file of at most 103 characters (macOS, sys/un.h).
 */
function addressOf(folder: string): string {
  const name = `pricebook-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const file = join(folder, 'guardian.sock');
  return Buffer.byteLength(file) <= 103 ? file : `/tmp/${name}.sock`;
}

/** Returns when the guardian has hung up: whether it had done its part before. */
async function sayGoodbye(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return false;
  const answer = listen(socket);
  const timer = setTimeout(() => socket.destroy(), stopLimitMs);
  const closed = closing(socket);
  socket.ref();
  socket.write('bye\n');
  await closed;
  clearTimeout(timer);
  return (await answer) === 'gone';
}
