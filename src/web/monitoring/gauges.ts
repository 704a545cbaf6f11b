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
  const set = (name: string, help: string, labels: Readonly<Record<string, string>>, value: number) => {
    const known = registry.getSingleMetric(`pricebook_${name}`) as Gauge | undefined;
    const gauge = { name: `pricebook_${name}`, help, labelNames: Object.keys(labels), registers: [registry] };
    (known ?? new Gauge(gauge)).set(labels, value);
  };

  for (const { name: check, reason } of checks)
    set('check_ok', '1: the check of this process passes, 0: it fails.', { check }, reason === null ? 1 : 0);
  if (values === null) return registry.metrics();
  const { at, regions, listings, certified, windows, queues } = values;

  const certifiedAge = "Time since the region's last certified night was published.";
  for (const { region, finishedAt } of certified)
    set('certified_night_age_seconds', certifiedAge, { region }, secondsBetween(finishedAt, at));

  for (const { region, open, lastNight, held } of regions) {
    const isWaiting = open && open.run.stop !== null;
    set('run_open', '1: a run is open.', { region }, open ? 1 : 0);
    set('run_waiting', '1: a stop holds back this run alone.', { region }, isWaiting ? 1 : 0);
    set('night_held', '1: the latest night is held back by a check.', { region }, held ? 1 : 0);
    const { pagesPlanned = 0, pagesDone: done = 0, pagesFailed: failed = 0 } = open?.progress ?? {};
    const pages = Object.entries(open ? { done, failed, outstanding: pagesPlanned - done - failed } : {});
    for (const [state, count] of pages) set('run_pages', 'Pages of the open run by state.', { region, state }, count);
    if (!lastNight) continue;
    const { finishedAt, verdict, productsListed, productsAvailable } = lastNight;
    const age = "Time since the region's last night was published.";
    if (finishedAt) set('snapshot_age_seconds', age, { region }, secondsBetween(finishedAt, at));
    const isCertified = verdict === 'partial' ? 0 : 1;
    set('snapshot_certified', '1: the last night is certified, 0: it is partial.', { region }, isCertified);
    set('products_listed', 'Products listed after the last night.', { region }, productsListed ?? 0);
    set('products_available', 'Products for sale after the last night.', { region }, productsAvailable ?? 0);
  }

  for (const { listing, requestsSpent, quotaRemaining: left, state } of listings) {
    const remaining = 'Requests left according to the last response of the upstream.';
    set('requests_spent', 'Requests sent in the current month or quota period.', { listing }, requestsSpent);
    if (left !== null) set('requests_remaining', remaining, { listing }, left);
    set('listing_stopped', '1: requests to the listing are stopped.', { listing }, state === 'ok' ? 0 : 1);
  }

  for (const { listing, window, used, limit } of windows) {
    set('limit_used_units', 'Units used of each limit of a listing.', { listing, window }, used);
    if (limit !== null) set('limit_units', 'Units that each limit of a listing allows.', { listing, window }, limit);
  }

  for (const { queue, state, jobs } of queues)
    set('queue_jobs', 'Jobs in the queues, by state.', { queue, state }, jobs);
  set('workers_alive', 'Running worker processes.', {}, values.workersAlive);
  set('quarantined_records', 'Quarantined records.', {}, values.quarantined);
  return registry.metrics();
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1_000);
}
