import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type Place, readPidFile, startLimitMs } from './place.ts';
import { serverSettings } from './settings.ts';

const largestLog = 10 * 1024 * 1024;

/** With a rest of 200 ms between two, 20 s at least. */
const maxAttempts = 100;

const settingsOf = ({ folder }: Place): string => join(folder, 'postgres.conf');

/**
 * Makes the data folder if there is none: beside it and renamed, so that a kill in the middle leaves nothing that looks
 * like data.
 */
export async function makeData(place: Place): Promise<void> {
  const data = dataOf(place);
  if (fs.existsSync(data)) return;
  const fresh = `${data}.new.${randomUUID()}`;
  fs.mkdirSync(fresh, { mode: 0o700 });
  if (place.owner) fs.chownSync(fresh, place.owner.uid, place.owner.gid);
  const options = [
    ...['--username=pricebook', `--pwfile=${join(place.folder, 'password')}`, '--auth=scram-sha-256'],
    // The builtin provider: case and order are the same on every machine and do not change with its libc.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    '--no-instructions',
  ];
  try {
    const complaint = await run(place, 'initdb', options, fresh);
    if (complaint !== null) throw new Error(`initdb failed: ${complaint}`);
    fs.renameSync(fresh, data);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    // Another command was faster.
    if (!fs.existsSync(data)) throw error;
  }
}

/** Starts the server. Returns false if the start failed for a reason that passes. */
export async function startServer(place: Place, settings: Record<string, string>, attempt: number): Promise<boolean> {
  const portFile = join(place.folder, 'port');
  const port = choosePort(portFile);
  writeSettings(place, { ...serverSettings(totalmem()), ...settings });
  const options = `-c port=${port} -c "config_file=${settingsOf(place)}"`;
  const complaint = await run(place, 'pg_ctl', ['start', '-s', '-w', '-t', `${startLimitMs / 1000}`, '-o', options]);
  if (complaint === null) {
    // Another command may have chosen another one at the same moment.
    fs.writeFileSync(portFile, String(port));
    return true;
  }
  // Another command starts it; busy children of a killed server hold its shared memory until their statement ends; a
  // server may be killed while it starts; and another program may have the port.
  const isPassing = readPidFile(place) !== null || /^$|shared memory|lock file|TCP.IP sockets/i.test(complaint);
  if (attempt === maxAttempts || !isPassing) throw new Error(`the server does not start: ${complaint}`);
  if (/TCP.IP sockets/i.test(complaint) && attempt >= 3) fs.rmSync(portFile, { force: true });
  await sleep(200);
  return false;
}

/**
 * Fast shutdown: open transactions roll back, everything is flushed. Returns when the server is gone. `pg_ctl stop`
 * would go on waiting, and then stop the server that another command has started meanwhile.
 */
export async function stopServer(place: Place): Promise<void> {
  const pid = readPidFile(place)?.pid;
  for (const signal of pid === undefined ? [] : ['INT', 'QUIT']) {
    await run(place, 'pg_ctl', ['kill', signal, String(pid)]);
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; ) {
      const isListed = readPidFile(place)?.pid === pid;
      // Its process ends a moment after it has removed its file.
      await sleep(50);
      if (!isListed) return;
    }
  }
}

/**
 * Runs a program of PostgreSQL. Returns null, or its complaints from the log if it failed. A server that it starts has
 * a session of its own, so Ctrl-C at the terminal does not reach it, and nothing of our environment, which may hold
 * keys.
 */
async function run(place: Place, program: string, args: readonly string[], data = dataOf(place)) {
  const logFile = join(place.folder, 'postgres.log');
  const size = fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLog) fs.renameSync(logFile, `${logFile}.1`);
  const log = fs.openSync(logFile, 'a', 0o600);
  const child = spawn(join(place.binaries.folder, 'bin', program), ['-D', data, ...args], {
    ...place.owner,
    cwd: place.folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    windowsHide: true,
    detached: true,
    stdio: ['ignore', log, log],
  });
  fs.closeSync(log);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code === 0) return null;
  const complaints = fs
    .readFileSync(logFile)
    .subarray(size > largestLog ? 0 : size)
    .toString('utf8')
    .split('\n')
    .filter((line) => /FATAL|ERROR|DETAIL|HINT|PANIC|invalid|error/.test(line))
    .map((line) => line.replace(/^.*?(FATAL|ERROR|DETAIL|HINT|PANIC|LOG):\s*/, ''));
  return complaints.slice(-9).join(' ');
}

/** Renamed, because another command's server may read them now. */
function writeSettings(place: Place, settings: Readonly<Record<string, string>>): void {
  const quoted = (text: string) => `'${text.replaceAll('\\', '/').replaceAll("'", "''")}'`;
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}`);
  const made = `include ${quoted(join(dataOf(place), 'postgresql.conf'))}`;
  const draft = `${settingsOf(place)}.${randomUUID()}`;
  fs.writeFileSync(draft, [made, ...lines, ''].join('\n'), { mode: 0o644 });
  fs.renameSync(draft, settingsOf(place));
}

/** The same port as last time, so that pools of running commands find the server again. */
function choosePort(portFile: string): number {
  const last = fs.existsSync(portFile) ? Number(fs.readFileSync(portFile, 'utf8')) : 0;
  if (last > 0) return last;
  // Below the ephemeral ranges (Linux from 32768, others from 49152): a pool that keeps trying a closed ephemeral
  // port of its own machine may end up connected to itself and so occupy it.
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  fs.writeFileSync(portFile, String(port));
  return port;
}
