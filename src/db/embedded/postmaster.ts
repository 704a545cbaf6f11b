import { execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerFailed, HomeUnusable } from '../../base/errors.ts';
import type { Place } from './place.ts';
import { serverSettings } from './settings.ts';

/** Recovery after a crash replays at most `max_wal_size` of WAL; minutes on a slow disk. */
const startLimitMs = 10 * 60_000;
const stopLimitMs = 60_000;
const pollMs = 15;
const largestLog = 10 * 1024 * 1024;

const dataOf = ({ folder }: Place): string => join(folder, 'data');
const pidFileOf = (place: Place): string => join(dataOf(place), 'postmaster.pid');

/**
 * Makes the server of a place accept connections: initialises, starts or adopts it. Only under the folder's lock.
 * Throws `EmbeddedServerFailed` or `HomeUnusable`.
 */
export async function ensureServer(
  place: Place,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly port: number; readonly isStarted: boolean }> {
  try {
    await prepareData(place);
    for (let attempt = 1; ; attempt++) {
      const running = runningServer(place);
      const adopted = running === null ? null : await portOf(place, running);
      if (adopted !== null) return { port: adopted, isStarted: false };
      const outcome = await tryStart(place, settings);
      if (typeof outcome === 'number') return { port: outcome, isStarted: true };
      // Busy children of a killed server hold its shared memory until their statement ends; a server whose command was
      // killed while starting it may just have taken the lock file; and a server may be killed again while it recovers.
      if (attempt === 20 || !/shared memory|lock file|killed/i.test(outcome))
        throw new Error(`the server does not start: ${outcome}`);
      if (/shared memory/i.test(outcome)) killOrphans(place);
      await sleep(200);
    }
  } catch (error) {
    throw (
      HomeUnusable.of(place.folder, error) ??
      new EmbeddedServerFailed((error as Error).message, {
        advice: `See ${join(place.folder, 'postgres.log')}, or set DATABASE_URL to a server of your own.`,
        cause: error,
      })
    );
  }
}

/** The process of the running server; null: none runs. */
function runningServer(place: Place): number | null {
  const pid = readPidFile(place)?.pid ?? null;
  return pid !== null && isServerOf(place, pid) ? pid : null;
}

/** Port of the running server, once it is ready; null: none runs. */
export async function runningPort(place: Place): Promise<number | null> {
  const pid = runningServer(place);
  return pid === null ? null : await portOf(place, pid);
}

/** Fast shutdown: open transactions roll back, everything is flushed. Returns when the server is gone. */
export async function stopServer(place: Place): Promise<void> {
  const pid = runningServer(place);
  if (pid === null) return;
  if (process.platform === 'win32') {
    spawnSync(join(place.binaries.folder, 'bin', 'pg_ctl'), ['stop', '-m', 'fast', '-w', '-D', dataOf(place)]);
    return;
  }
  for (const [signal, limitMs] of [['SIGINT', stopLimitMs] as const, ['SIGQUIT', 5_000] as const]) {
    process.kill(pid, signal);
    for (const deadline = performance.now() + limitMs; performance.now() < deadline; await sleep(pollMs))
      if (!isServerOf(place, pid)) return;
  }
}

/** Runs initdb if there are no data. Throws if the data belong to another version. */
async function prepareData(place: Place): Promise<void> {
  const { folder, binaries, owner } = place;
  const data = dataOf(place);
  for (const name of readdirSync(folder).filter((name) => name.startsWith('data.new'))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // The initdb of a killed command still writes to it; the next command removes it.
    }
  }
  if (existsSync(join(data, 'PG_VERSION'))) {
    const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
    const [version] = binaries.version.split('.');
    if (found === version) return;
    throw new Error(`the data in ${data} belong to PostgreSQL ${found}, the program brings ${version}`);
  }
  if (existsSync(data)) throw new Error(`${data} exists but is no PostgreSQL data folder; move it away`);

  // Made beside and renamed: a kill in the middle leaves nothing that looks like data.
  const fresh = join(folder, `data.new.${process.pid}`);
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  if (owner) chownSync(fresh, owner.uid, owner.gid);
  const args = [
    `--pgdata=${fresh}`,
    '--username=pricebook',
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider: case and order are the same on every machine and do not change with its libc.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  await new Promise<void>((resolve, reject) => {
    execFile(join(binaries.folder, 'bin', 'initdb'), args, spawning(place), (error, stdout, stderr) => {
      const complaint = `${stdout}${stderr}`.trim().split('\n').slice(-4).join(' ');
      if (error) reject(new Error(`initdb failed: ${complaint || error.message}`, { cause: error }));
      else resolve();
    });
  });
  renameSync(fresh, data);
}

/** Returns the port, or the server's complaints. */
async function tryStart(place: Place, settings: Readonly<Record<string, string>>): Promise<number | string> {
  disarmStalePidFile(place);
  const port = await choosePort(place);
  const logFile = join(place.folder, 'postgres.log');
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > largestLog) renameSync(logFile, `${logFile}.1`);
  const log = openSync(logFile, 'a', 0o600);
  const { size: logSize } = fstatSync(log);
  const args = Object.entries({ ...serverSettings(totalmem()), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // Detached, in a session of its own: Ctrl-C at the terminal does not reach it.
  const server = spawn(
    join(place.binaries.folder, 'bin', 'postgres'),
    ['-D', dataOf(place), '-p', String(port), ...args],
    {
      ...spawning(place),
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  let ended = '';
  let isKilled = false;
  server.on('error', (error) => {
    ended = error.message;
  });
  server.on('exit', (code, signal) => {
    isKilled = signal !== null;
    ended ||= isKilled ? `it was killed by ${signal}` : `it ended with ${code}`;
  });
  server.unref();
  await sleep(1);
  const ready = server.pid === undefined ? null : await portWhenReady(place, server.pid, () => ended !== '');
  if (ready !== null) return ready;
  // The log has nothing but complaints of its clients then.
  if (isKilled) return ended;
  const complaints = readFileSync(logFile)
    .subarray(logSize)
    .toString('utf8')
    .split('\n')
    .filter((line) => /FATAL|ERROR|HINT|PANIC|error while loading/.test(line))
    .map((line) => line.replace(/^.*?(FATAL|ERROR|HINT|PANIC):\s*/, ''));
  return complaints.slice(-3).join(' ') || ended || 'it did not become ready';
}

/** Nothing of our own environment, so that no key of ours lives in the server's. */
function spawning({ folder, owner }: Place): SpawnOptions {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { ...(owner ? { uid: owner.uid, gid: owner.gid } : {}), cwd: folder, env, windowsHide: true };
}

const portOf = (place: Place, pid: number) => portWhenReady(place, pid, () => !isServerOf(place, pid));

/** The port, or null if the server ended instead. */
async function portWhenReady(place: Place, pid: number, hasEnded: () => boolean): Promise<number | null> {
  for (const deadline = performance.now() + startLimitMs; performance.now() < deadline; await sleep(pollMs)) {
    const found = readPidFile(place);
    if (found?.pid === pid && found.isReady) return found.port;
    if (hasEnded()) return null;
  }
  return null;
}

/** Format (miscinit.h): pid, data folder, start, port, socket folder, address, shared memory, status. */
function readPidFile(place: Place): { readonly pid: number; readonly port: number; readonly isReady: boolean } | null {
  try {
    const lines = readFileSync(pidFileOf(place), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3]), isReady: (lines[7] ?? '').startsWith('ready') };
  } catch {
    return null;
  }
}

/**
 * A stale postmaster.pid may name a process that is now someone else's, and PostgreSQL would refuse to start. Naming
 * its parent, this process, makes it go on, and keeps its check that no orphan still uses the shared memory, which
 * deleting the file would defeat. An empty file, of a full disk or a crash, would stop it. Done as the server's user,
 * to whom the folder belongs.
 */
function disarmStalePidFile(place: Place): void {
  if (process.platform === 'win32' || !existsSync(pidFileOf(place))) return;
  const script = 'if [ -s "$1" ]; then sed "1s/.*/$2/" "$1" > "$1.new" && mv "$1.new" "$1"; else rm -f "$1"; fi';
  const args = ['-c', script, 'sh', pidFileOf(place), String(process.pid)];
  spawnSync('/bin/sh', args, { ...spawning(place), stdio: 'ignore' });
}

/** Kills processes of a dead server, found by their working folder; as their own user, who is allowed to look. */
function killOrphans(place: Place): void {
  if (process.platform !== 'linux') return;
  const script = 'for p in /proc/[0-9]*; do [ "$(readlink "$p/cwd")" = "$1" ] && kill -KILL "$(basename "$p")"; done';
  spawnSync('/bin/sh', ['-c', script, 'sh', dataOf(place)], { ...spawning(place), stdio: 'ignore' });
}

/**
 * Whether the process is a live server of this data folder: not a zombie, not another process with a reused number.
 * The command line is readable for everyone; /proc/<pid>/cwd is not, for root in a container.
 */
function isServerOf(place: Place, pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(dataOf(place));
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(dataOf(place));
  } catch {
    return false;
  }
}

/** The same port as last time while it is free, so that pools of running commands find the server again. */
async function choosePort({ folder }: Place): Promise<number> {
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
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
