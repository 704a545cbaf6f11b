import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { crawlJobs } from '../../jobs/index.ts';
import { type Base, type Crawler, compose, composeCrawler } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/app/config.ts';
import { clockFrom, type PlayedClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createDatabase, type Database } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { simulatorHosts } from '../../src/simulator/index.ts';
import { startUpstream, type Upstream } from '../bench/upstream.ts';
import { dropQueue } from '../chaos/drop-queue.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { addressOf, withPort } from '../support/url-port.ts';
import type { SoakSettings } from './logbook.ts';

/** A book at work in this process, its upstream and its server in others, with a link to each that can be harmed. */
export interface Site {
  readonly upstream: Upstream;
  readonly links: { readonly upstream: TcpProxy; readonly database: TcpProxy };
  readonly base: Base;
  readonly crawler: Crawler;
  /** Ends the crawler and starts another in the same process, as a command does that is given again. */
  startAgain(): Promise<void>;
  readonly clock: PlayedClock;
  /** As the program of the soak reaches it, whatever happens to the links. */
  readonly db: Database;
  readonly archive: string;
  /** Lines that the program logged as errors, the first of them. */
  readonly errors: readonly string[];
  loseQueue(): Promise<void>;
  close(): Promise<void>;
}

/** One region: two would cost twice as much and fill the same memory and tables. */
export const region = 'uk';
/** Of each night: enough that details come and go, too. */
export const maxDetails = 20;
const mostErrors = 100;

/** Opens the book in a folder, made when it is missing. `port`: where its upstream is reached. */
export async function openSite(home: string, { items, seed }: SoakSettings, port: number): Promise<Site> {
  mkdirSync(home, { recursive: true });
  // When root runs it the server runs as another user, who must get in.
  chmodSync(home, 0o755);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    const upstream = await startUpstream({ items, seed });
    closers.push(upstream.close);
    // A crash of the machine is not played, so nothing waits for the disk.
    const server = await openEmbedded({ home, log: silentLog, settings: { fsync: 'off' } });
    closers.push(() => server.close());
    const links = {
      upstream: await createTcpProxy({ host: '127.0.0.1', port: upstream.port }, port),
      database: await createTcpProxy(addressOf(server.url)),
    };
    closers.push(links.upstream.close, links.database.close);
    const db = createDatabase({ url: server.url, applicationName: 'soak', max: 2 });
    closers.push(() => db.end());

    const errors: string[] = [];
    const write = (line: string) => void (errors.length < mostErrors && errors.push(line));
    const clock = clockFrom(new Date('2026-01-01T03:00:00Z'));
    const config = loadConfig(
      {
        PRICEBOOK_HOME: home,
        DATABASE_URL: withPort(server.url, links.database.port),
        GROCERY_BASE_URL: `http://127.0.0.1:${links.upstream.port}`,
        GROCERY_HOST: simulatorHosts.grocery,
        GROCERY_KEY: 'soak',
        REQUEST_TIMEOUT: '1',
      },
      { cwd: home },
    );
    const base = await compose(config, { clock, log: createLog({ level: 'error', to: { write } }), name: 'soak' });
    closers.push(base.close);
    const openCrawler = () =>
      composeCrawler(base, {
        maxDetails,
        jobs: crawlJobs,
        requeueAfterMs: 3_000,
        firstRestMs: 50,
        // Faults are put in on purpose and judged by what becomes of the night.
        despiteDrift: true,
      });
    let crawler = await openCrawler();
    closers.push(() => crawler.close(5_000));
    return {
      upstream,
      links,
      base,
      get crawler() {
        return crawler;
      },
      async startAgain() {
        await crawler.close(5_000);
        crawler = await openCrawler();
      },
      clock,
      db,
      archive: join(home, 'archive'),
      errors,
      loseQueue: () => dropQueue(server.url),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
