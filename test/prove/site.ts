import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { type Command, startCommand } from '../support/command.ts';
import { dropQueue } from '../support/drop-queue.ts';
import { listening } from '../support/listening.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { addressOf, withPort } from '../support/url-port.ts';
import { type Ground, openDatabases } from './ground.ts';
import type { Link } from './mishaps.ts';

/** Where a trial takes place: upstream, servers, links, a home; all its own, all gone afterwards. */
export interface Site {
  readonly simulator: Simulator;
  readonly home: string;
  readonly db: Database;
  /** Direct connections of the harness, unaffected by the faulty links. */
  readonly databaseUrl: string;
  readonly redis: { readonly url: string; kill(): Promise<void>; restart(): Promise<void> } | null;
  readonly links: Readonly<Partial<Record<Link, TcpProxy>>>;
  /** Target of redirects, which must get no request; each with whether it brought the key. */
  readonly elsewhere: { readonly url: string; readonly visits: readonly { readonly broughtKey: boolean }[] };
  /** Environment of its commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a `pricebook` process here. */
  start(args: readonly string[]): Command;
  killPostgres(): void;
  loseQueue(): Promise<void>;
  close(): Promise<void>;
}

interface SiteOptions {
  readonly upstream: SimulatorOptions;
  readonly queue?: 'postgres' | 'redis';
  /** `own`: its embedded server is started, killed and stopped with it. */
  readonly server?: 'shared' | 'own';
  /** Connections that will be harmed. */
  readonly links?: readonly Link[];
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Timeout of a hanging request in seconds. */
const requestTimeoutSeconds = 1;

/** More changes than in a usual shop. */
export const busy = { dailyChange: 0.015, promoted: 0.25, packChanges: 0.0005, garbled: 0.1, secondListing: 0.4 };

export async function openSite(ground: Ground, options: SiteOptions): Promise<Site> {
  const { upstream, queue = 'postgres', server = 'shared', links: harmed = [] } = options;
  const home = mkdtempSync(join(tmpdir(), 'pricebook-site-'));
  chmodSync(home, 0o755);
  const closers: (() => Promise<unknown>)[] = [async () => clear(home)];
  try {
    const simulator = await createSimulator({ ...busy, ...upstream });
    closers.push(() => simulator.close());
    const elsewhere = await openElsewhere();
    closers.push(elsewhere.close);
    const redis = queue === 'redis' ? await openRedis(home) : null;
    if (redis) closers.push(redis.kill);

    const own = server === 'own' ? await openOwn(home) : null;
    const data = own ?? (await openDatabases(ground));
    closers.push(data.drop);

    const links: Partial<Record<Link, TcpProxy>> = {};
    if (harmed.includes('upstream')) links.upstream = await createTcpProxy({ host: '127.0.0.1', port: simulator.port });
    if (harmed.includes('database')) links.database = await createTcpProxy(addressOf(data.url));
    closers.push(...Object.values(links).map((link) => () => link.close()));

    const throughLink = (url: string) => (links.database ? withPort(url, links.database.port) : url);
    const env = {
      ...(own ? {} : { DATABASE_URL: throughLink(data.url) }),
      ...(redis ? { REDIS_URL: redis.url } : {}),
      GROCERY_BASE_URL: links.upstream ? `http://127.0.0.1:${links.upstream.port}` : simulator.url,
      GROCERY_KEY: sentinelKey,
      PRICEBOOK_HOME: home,
      REQUEST_TIMEOUT: String(requestTimeoutSeconds),
      LOG_LEVEL: 'info',
      ...options.env,
    };
    return {
      simulator,
      home,
      db: data.db,
      databaseUrl: data.url,
      redis,
      links,
      elsewhere,
      env,
      start: (args) => startCommand(args, { cwd: home, env }),
      killPostgres: () => own!.killPostgres(),
      loseQueue: () => (redis ? redis.flush() : dropQueue(data.url)),
      close: () => unwind(closers),
    };
  } catch (error) {
    await unwind(closers);
    throw error;
  }
}

async function openOwn(home: string) {
  const server = await openEmbedded({ home, log: silentLog, settings: { fsync: 'off' } });
  const db = createDatabase({ url: server.url, applicationName: 'prove', max: 4 });
  return {
    url: server.url,
    db,
    killPostgres() {
      const file = join(server.folder, 'data', 'postmaster.pid');
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
      // While a server starts, its file may be empty, or name the process that starts it.
      const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
      if (stdout.includes(`postgres -D ${server.folder}`)) kill(pid);
    },
    async drop() {
      await db.end();
      await server.close();
      await removeEmbedded(home);
    },
  };
}

async function openRedis(home: string) {
  const folder = join(home, 'redis');
  mkdirSync(folder);
  const settings = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', folder];
  let server: RedisServer = await startRedis(settings);
  const { url } = server;
  return {
    url,
    flush: () => server.flush(),
    kill: () => server.stop(),
    async restart() {
      server = await startRedis(settings, Number(new URL(url).port));
    },
  };
}

async function openElsewhere() {
  const visits: { broughtKey: boolean }[] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    visits.push({ broughtKey: JSON.stringify([request.rawHeaders, request.url]).includes(sentinelKey) });
    response.end('{"success":true,"data":{}}');
  });
  const { url, close } = await listening(server);
  return {
    url,
    visits,
    close,
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function clear(home: string): void {
  // The archive may be a separate file system; then nothing below it is kept.
  spawnSync('umount', ['-l', join(home, 'archive')]);
  rmSync(home, { recursive: true, force: true });
}

async function unwind(closers: (() => Promise<unknown>)[]): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}
