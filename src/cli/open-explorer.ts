import { networkInterfaces } from 'node:os';
import { statusOf } from '../app/askable-listings.ts';
import type { Config } from '../app/config.ts';
import { nightBeginsAt } from '../crawl/open-due-nights.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import { destinationOf } from '../followers/messages/receiver.ts';
import { createWatchLists } from '../followers/watches/watch-lists.ts';
import { createAccess } from '../web/access/access.ts';
import { failureOf } from '../web/failure.ts';
import { type Explorer, type ExplorerNeeds, openExplorer } from '../web/server.ts';
import { cannotListen, isPortTaken } from './cannot-listen.ts';
import type { Console } from './console.ts';
import { ownCommand } from './hint.ts';
import type { Watched } from './monitor.ts';

const runsShown = 14;

/** Throws `Refused` before any resource is opened. */
export function refuseUnguarded(config: Config): void {
  createAccess({ host: config.host, ...accessOf(config) });
}

function accessOf({ dashboard: { password, userHeader, trustedProxies, tokens } }: Config) {
  return {
    password: password?.reveal() ?? null,
    userHeader,
    trustedProxies,
    tokens: tokens?.reveal().trim().split(/\s+/) ?? [],
  };
}

/**
 * Opens the explorer on the configured port. If the port is in use: throws if PORT is set, because proxies, bookmarks
 * or Prometheus expect it there; otherwise uses any free port.
 */
export async function openExplorerOver(
  { base, monitoring, queues }: Watched,
  console: Console,
): Promise<Explorer & { readonly addresses: string }> {
  const { config, clock, db, databaseUrl, runs, log } = base;
  const { host, port, isPortChosen } = config;
  const needs: ExplorerNeeds = {
    host,
    port,
    databaseUrl,
    clock,
    access: accessOf(config),
    origins: config.dashboard.origins,
    nightBeginsAt,
    ownCommand,
    monitoring,
    queues,
    readStatus: () => statusOf(base),
    countNightsOwed: (region) => countNightsOwed(db, region),
    watchLists: createWatchLists({
      db,
      clock,
      destination: () => config.alerts && destinationOf(config.alerts.url.reveal()),
    }),
    readRuns: () => runs.recent(runsShown),
    onTrouble: (error) => {
      const level = failureOf(error).status === 503 ? 'info' : 'error';
      log[level]({ err: error }, 'a request to the explorer failed');
    },
    onOwnRights: (reason) =>
      log.warn(
        { reason },
        'the explorer reads with the rights of DATABASE_URL, because that user may not switch to bi_reader',
      ),
  };
  const open = async (settings: ExplorerNeeds) => {
    const explorer = await openExplorer(settings);
    return { ...explorer, addresses: addressesOf(explorer.url, host).join(', ') };
  };
  try {
    return await open(needs);
  } catch (error) {
    if (isPortChosen || !isPortTaken(error)) throw cannotListen(error, host, port, 'HOST or PORT');
    console.say(`Port ${port} is in use by another program; the explorer uses any free port. Set PORT to choose one.`);
    return await open({ ...needs, port: 0 });
  }
}

/** The URL; if it listens on all interfaces, that of this machine and those that other machines can use. */
function addressesOf(url: string, host: string): string[] {
  if (!['0.0.0.0', '::'].includes(host)) return [url];
  const { port } = new URL(url);
  const others = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(
      ({ internal, family, address }) => !internal && (family === 'IPv4' || host === '::') && !/^fe80/.test(address),
    )
    .map(({ family, address }) => (family === 'IPv4' ? address : `[${address}]`));
  return ['127.0.0.1', ...others].map((address) => `http://${address}:${port}`);
}
