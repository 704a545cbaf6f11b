import { askableListings, subscriptionsOf } from '../app/askable-listings.ts';
import type { Config } from '../app/config.ts';
import { nightBeginsAt } from '../crawl/night-due.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import { readStatus } from '../questions/status.ts';
import { createAccess } from '../web/access/access.ts';
import { failureOf } from '../web/failure.ts';
import { type Explorer, type ExplorerNeeds, openExplorer } from '../web/server.ts';
import type { Console } from './console.ts';
import { ownCommand } from './hint.ts';
import type { Watched } from './monitor.ts';
import { isPortTaken, listeningFailed, PortTaken } from './port-taken.ts';

const runsShown = 14;

/** Throws `ExplorerUnguarded` before anything is opened. */
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
 * The explorer where the configuration wants it. Where somebody else listens already, `PortTaken` is thrown if PORT
 * names that port: a proxy, a bookmark or Prometheus looks there. Otherwise it takes any free one.
 */
export async function openExplorerOver({ base, monitoring, queues }: Watched, console: Console): Promise<Explorer> {
  const { config, clock, db, databaseUrl, runs, log } = base;
  const { host, port, isPortChosen } = config;
  const needs: ExplorerNeeds = {
    host,
    port,
    databaseUrl,
    clock,
    access: accessOf(config),
    nightBeginsAt,
    ownCommand,
    monitoring,
    queues,
    readStatus: () => {
      const now = clock.now();
      return readStatus({
        db,
        runs,
        now,
        quotas: askableListings(config, now),
        subscriptions: subscriptionsOf(config),
      });
    },
    countNightsOwed: (region) => countNightsOwed(db, region),
    readRuns: () => runs.recent(runsShown),
    onTrouble: (error) => {
      const level = failureOf(error).status === 503 ? 'info' : 'error';
      log[level]({ err: error }, 'a page of the explorer could not be served');
    },
    onOwnRights: (reason) =>
      log.warn({ reason }, 'the explorer reads with the rights of DATABASE_URL: it may not act as bi_reader'),
  };
  try {
    return await openExplorer(needs);
  } catch (error) {
    if (!isPortTaken(error)) throw listeningFailed(error, host, port, 'HOST or PORT');
    if (isPortChosen) throw new PortTaken(host, port, 'Set PORT to another one, or end that program.');
    console.say(`Port ${port} is in use by another program; the explorer takes a free one (PORT sets it).`);
    return await openExplorer({ ...needs, port: 0 });
  }
}
