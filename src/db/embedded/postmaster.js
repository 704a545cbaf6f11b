// @ts-check
// Plain JavaScript without dependencies: the guardian must start in milliseconds and stay small.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareData } from './data-folder.js';
import { openLog, tailOf } from './log-file.js';
import { choosePort } from './server-port.js';

/**
 * What the guardian needs to know to run a server.
 * @typedef {object} Launch
 * @property {string} folder real path of the folder that holds `data`, `password`, `port` and the logs
 * @property {string} bin folder of initdb and postgres
 * @property {string} majorVersion of the binaries
 * @property {{ uid: number, gid: number } | null} owner the user to run as; null: the current one
 * @property {Record<string, string>} settings server settings by name
 * @property {string} address where the guardian listens
 */

/** Recovery after a crash replays at most `max_wal_size` of WAL; minutes on a slow disk. */
const startLimitMs = 10 * 60_000;
const stopLimitMs = 60_000;
const pollMs = 15;

/**
 * Starts, adopts, watches and stops the one server of a folder.
 * @param {Launch} launch
 */
export function createPostmaster({ folder, bin, majorVersion, owner, settings }) {
  const data = join(folder, 'data');
  const pidFile = join(data, 'postmaster.pid');
  const logFile = join(folder, 'postgres.log');
  const identity = owner ? { uid: owner.uid, gid: owner.gid } : {};
  // Nothing of our own environment, so that no key of ours lives in the server's.
  const spawning = { ...identity, cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  /** @type {number | null} */
  let knownPid = null;

  return {
    /** Whether the server this guardian started or adopted still runs. */
    isAlive: () => knownPid !== null && isServerOf(data, knownPid),

    /** Whether somebody deleted the data folder under the server. */
    isFolderGone: () => !existsSync(folder) || (knownPid !== null && !existsSync(data)),

    /**
     * The server runs and accepts connections: made, started or adopted as needed. Resolves to its port.
     * @returns {Promise<number>}
     */
    async ensure() {
      await prepareData({ folder, bin, majorVersion, spawning });
      let outcome = await adoptOrStart();
      for (let attempt = 0; typeof outcome === 'string' && isInTheWay(outcome) && attempt < 20; attempt++) {
        if (/shared memory/i.test(outcome)) killOrphans();
        await sleep(200);
        outcome = await adoptOrStart();
      }
      if (typeof outcome === 'number') return outcome;
      throw new Error(`the server does not start: ${outcome}`);
    },

    /** Fast shutdown: open transactions roll back, everything is flushed. Returns when the processes are gone. */
    async stop() {
      const pid = knownPid ?? readPidFile()?.pid ?? null;
      knownPid = null;
      if (pid === null || !isServerOf(data, pid)) return;
      if (process.platform === 'win32') {
        spawnSync(join(bin, 'pg_ctl'), ['stop', '-m', 'fast', '-w', '-D', data], { cwd: folder });
        return;
      }
      signal(pid, 'SIGINT');
      if (await exits(pid, stopLimitMs)) return;
      signal(pid, 'SIGQUIT');
      await exits(pid, 5_000);
    },

    /** Immediate shutdown, for a server whose folder is gone. */
    abandon() {
      if (knownPid !== null && isServerOf(data, knownPid)) signal(knownPid, 'SIGQUIT');
      knownPid = null;
    },
  };

  /** @returns {Promise<number | string>} the port, or what went wrong */
  async function adoptOrStart() {
    const running = readPidFile();
    if (running && isServerOf(data, running.pid)) {
      knownPid = running.pid;
      const port = await becomesReady(running.pid, () => false);
      if (port) return port;
    }
    return await tryStart(await choosePort(folder, owner));
  }

  /**
   * @param {number} port
   * @returns {Promise<number | string>} the port, or what went wrong
   */
  async function tryStart(port) {
    disarmStalePidFile();
    const log = openLog(logFile, owner);
    const args = ['-D', data, '-p', String(port)];
    for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
    const child = spawn(join(bin, 'postgres'), args, {
      ...spawning,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      windowsHide: true,
    });
    log.close();
    let ended = '';
    child.on('error', (error) => {
      ended = error.message;
    });
    child.on('exit', (code, by) => {
      ended ||= `it ended with ${by ?? code}`;
    });
    child.unref();
    await sleep(1);
    if (child.pid === undefined) return ended || 'it could not be executed';

    knownPid = child.pid;
    const ready = await becomesReady(child.pid, () => ended !== '');
    if (ready) return ready;
    knownPid = null;
    return tailOf(logFile, log.startedAt) || ended || 'it did not become ready';
  }

  /**
   * @param {number} pid
   * @param {() => boolean} hasEnded
   * @returns {Promise<number | null>} the port, or null when the server ended instead
   */
  async function becomesReady(pid, hasEnded) {
    const deadline = performance.now() + startLimitMs;
    while (performance.now() < deadline) {
      const found = readPidFile();
      if (found?.pid === pid && found.isReady) return found.port;
      if (hasEnded() || !isServerOf(data, pid)) return null;
      await sleep(pollMs);
    }
    return null;
  }

  /** Format: storage/lmgr's pidfile.h: pid, data folder, start, port, socket folder, address, shared memory, status. */
  function readPidFile() {
    try {
      const lines = readFileSync(pidFile, 'utf8').split('\n');
      const pid = Number(lines[0]);
      if (!Number.isInteger(pid) || pid <= 0) return null;
      return { pid, port: Number(lines[3]), isReady: (lines[7] ?? '').startsWith('ready') };
    } catch {
      return null;
    }
  }

  /**
   * A stale postmaster.pid may name a process that is now someone else's, and PostgreSQL would refuse to start.
   * Naming its parent instead makes it go on, and keeps its check that no orphan still uses the shared memory,
   * which deleting the file would defeat.
   */
  function disarmStalePidFile() {
    const found = readPidFile();
    if (!found) {
      // Cut short by a full disk or a crash: PostgreSQL calls an empty one bogus and stops.
      if (existsSync(pidFile) && statSync(pidFile).size === 0) rmSync(pidFile, { force: true });
      return;
    }
    const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
    writeFileSync(pidFile, [process.pid, ...rest].join('\n'));
  }

  /** Server processes whose server is dead, found by their working folder; run as their own user to be allowed to look. */
  function killOrphans() {
    if (process.platform !== 'linux') return;
    const script = 'for p in /proc/[0-9]*; do [ "$(readlink "$p/cwd")" = "$1" ] && kill -KILL "$(basename "$p")"; done';
    spawnSync('/bin/sh', ['-c', script, 'sh', data], { ...spawning, stdio: 'ignore' });
  }

  /**
   * @param {number} pid
   * @param {number} limitMs
   */
  async function exits(pid, limitMs) {
    const deadline = performance.now() + limitMs;
    while (performance.now() < deadline) {
      if (!isServerOf(data, pid)) return true;
      await sleep(pollMs);
    }
    return false;
  }
}

/**
 * After a SIGKILL of the server its busy children hold the shared memory until their statement ends; after one of the
 * guardian a server it had just started may take the lock file.
 * @param {string} complaint
 */
function isInTheWay(complaint) {
  return /shared memory|lock file/i.test(complaint);
}

/**
 * Whether the process is a live server of this data folder: not a zombie, not another process with a reused number.
 * The command line is readable for everyone; /proc/<pid>/cwd is not, for root in a container.
 * @param {string} data
 * @param {number} pid
 */
function isServerOf(data, pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
  }
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(data);
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    return false;
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // gone already
  }
}
