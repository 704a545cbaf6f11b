import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { silentLog } from '../../../src/db/db-log.ts';
import { type EmbeddedServer, openEmbedded, removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { programArgs } from '../../support/program.ts';

/** A separate home with its commands and server. */
export interface CliHome {
  readonly home: string;
  /** Where the server's things are unless they had to go elsewhere. */
  readonly folder: string;
  /** Uses the server from this process. */
  open(settings?: Record<string, string>): Promise<EmbeddedServer>;
  /** Starts a command that keeps the server running until it is stopped. */
  start(options?: CommandOptions): Promise<Command>;
  /** The same without waiting for it to serve. */
  launch(options?: CommandOptions): ChildProcess;
  /** The server process by its pid file; null when there is none. */
  server(): number | null;
  /** Every process that belongs to the folder. */
  everybody(): number[];
  remove(): Promise<void>;
}

export interface CommandOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly env?: Record<string, string>;
}

export interface Command {
  readonly url: string;
  readonly process: ChildProcess;
  /** Ends it properly; resolves when it has exited. */
  end(): Promise<void>;
  kill(): Promise<void>;
}

const command = await programArgs('test/db/embedded/command.ts');
const root = fileURLToPath(new URL('../../..', import.meta.url));

export function createCliHome(name = 'home-'): CliHome {
  const home = mkdtempSync(join(tmpdir(), name));
  chmodSync(home, 0o755);
  const folder = join(home, 'postgres');
  const commands = new Set<ChildProcess>();
  const opened = new Set<EmbeddedServer>();

  return {
    home,
    folder,
    async open(settings = {}) {
      const server = await openEmbedded({ home, log: silentLog, settings });
      opened.add(server);
      return server;
    },
    async start(options = {}) {
      const child = this.launch(options);
      const exited = once(child, 'exit');
      return {
        url: await firstLine(child),
        process: child,
        async end() {
          child.stdin?.end();
          await exited;
        },
        async kill() {
          child.kill('SIGKILL');
          await exited;
        },
      };
    },
    launch({ env = {}, ...identity } = {}) {
      const child = spawn(process.execPath, [...command, home], {
        ...identity,
        cwd: root,
        env: { PATH: process.env['PATH'] ?? '', ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      commands.add(child);
      child.once('exit', () => commands.delete(child));
      return child;
    },
    server() {
      const file = join(folder, 'data', 'postmaster.pid');
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
      // While a server starts, its file may be empty, or name the process that starts it.
      return processesWith(`postgres -D ${folder}`).some((each) => each.pid === pid) ? pid : null;
    },
    everybody: () => processesWith(folder).map(({ pid }) => pid),
    async remove() {
      for (const child of commands) child.kill('SIGKILL');
      for (const server of opened) await server.close();
      await eventually(() => commands.size === 0);
      await removeEmbedded(home);
      await eventually(() => processesWith(folder).length === 0);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Runs one query on a separate connection. */
export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until something holds; a thrown error counts as not yet. */
export async function eventually(holds: () => unknown, limitMs = 60_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      if (await holds()) return;
      if (performance.now() > deadline) throw new Error(`it never held: ${holds}`);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(25);
  }
}

export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

async function firstLine(child: ChildProcess): Promise<string> {
  let out = '';
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
    });
    child.on('exit', (code, signal) => reject(new Error(`the command ended with ${signal ?? code}: ${complaints}`)));
  });
}

function processesWith(folder: string): { pid: number; args: string }[] {
  const { stdout } = spawnSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number(line.trim().split(' ')[0]), args: line }));
}
