import { Gauge, Registry } from 'prom-client';
import type { Status } from '../../questions/status.ts';
import type { CheckResult } from './readiness.ts';

/** Values of the gauges. They come from the ledger and the queues, so all processes report the same. */
export interface GaugeValues extends Status {
  /** Publication time of the last certified night of each region. */
  readonly certified: readonly { readonly region: string; readonly finishedAt: Date }[];
  /** Used units of each limit. `limit` null: unknown. */
  readonly windows: readonly {
    readonly listing: string;
    readonly window: string;
    readonly used: number;
    readonly limit: number | null;
  }[];
  /** Empty if the queues are not reachable. */
  readonly queues: readonly { readonly queue: string; readonly state: string; readonly jobs: number }[];
}

/**
 * Gauges in the Prometheus text format. `values` null: the database is not reachable, so only the checks are rendered.
 */
export function renderGauges(checks: readonly CheckResult[], values: GaugeValues | null): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `pricebook_${name}`, help, labelNames: [...labelNames], registers: [registry] });

  const isOk = gauge('check_ok', '1: the check of this process passes, 0: it fails.', ['check']);
  for (const check of checks) isOk.set({ check: check.name }, check.reason === null ? 1 : 0);
  if (values === null) return registry.metrics();
  const { at, regions, listings, certified, windows, queues } = values;

  const certifiedAge = gauge(
    'certified_night_age_seconds',
    "Time since the region's last certified night was published.",
    ['region'],
  );
  for (const { region, finishedAt } of certified) certifiedAge.set({ region }, secondsBetween(finishedAt, at));

  const age = gauge('snapshot_age_seconds', "Time since the region's last night was published.", ['region']);
  const isComplete = gauge('snapshot_certified', '1: the last night is certified, 0: it is partial.', ['region']);
  const isHeld = gauge('night_held', '1: the latest night is held back by a check.', ['region']);
  const listed = gauge('products_listed', 'Products listed after the last night.', ['region']);
  const available = gauge('products_available', 'Products for sale after the last night.', ['region']);
  const isOpen = gauge('run_open', '1: a run is open.', ['region']);
  const isWaiting = gauge('run_waiting', '1: the open run waits for a limit, a key or a server.', ['region']);
  const pages = gauge('run_pages', 'Pages of the open run by state.', ['region', 'state']);
  for (const { region, open, lastNight, held } of regions) {
    isOpen.set({ region }, open ? 1 : 0);
    isWaiting.set({ region }, open && open.run.stop !== null ? 1 : 0);
    isHeld.set({ region }, held ? 1 : 0);
    if (open) {
      const { pagesPlanned, pagesDone, pagesFailed } = open.progress;
      pages.set({ region, state: 'done' }, pagesDone);
      pages.set({ region, state: 'failed' }, pagesFailed);
      pages.set({ region, state: 'outstanding' }, pagesPlanned - pagesDone - pagesFailed);
    }
    if (!lastNight) continue;
    if (lastNight.finishedAt) age.set({ region }, secondsBetween(lastNight.finishedAt, at));
    isComplete.set({ region }, lastNight.verdict === 'partial' ? 0 : 1);
    listed.set({ region }, lastNight.productsListed ?? 0);
    available.set({ region }, lastNight.productsAvailable ?? 0);
  }

  const spent = gauge('requests_spent', 'Requests sent in the current month or quota period.', ['listing']);
  const left = gauge('requests_remaining', 'Requests left according to the last response of the upstream.', [
    'listing',
  ]);
  const isStopped = gauge('listing_stopped', '1: requests to the listing are stopped.', ['listing']);
  for (const { listing, requestsSpent, quotaRemaining, state } of listings) {
    spent.set({ listing }, requestsSpent);
    if (quotaRemaining !== null) left.set({ listing }, quotaRemaining);
    isStopped.set({ listing }, state === 'ok' ? 0 : 1);
  }

  const used = gauge('limit_used_units', 'Units used of each limit of a listing.', ['listing', 'window']);
  const limits = gauge('limit_units', 'Units that each limit of a listing allows.', ['listing', 'window']);
  for (const { listing, window, used: units, limit } of windows) {
    used.set({ listing, window }, units);
    if (limit !== null) limits.set({ listing, window }, limit);
  }

  const jobs = gauge('queue_jobs', 'Jobs in the queues, by state.', ['queue', 'state']);
  for (const { queue, state, jobs: count } of queues) jobs.set({ queue, state }, count);

  gauge('workers_alive', 'Running worker processes.').set(values.workersAlive);
  gauge('quarantined_records', 'Quarantined records.').set(values.quarantined);
  return registry.metrics();
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1_000);
}
