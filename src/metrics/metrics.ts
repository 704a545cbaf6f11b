import { Gauge, Registry } from 'prom-client';

/** What the gauges need of how things stand. */
export interface Measured {
  readonly at: Date;
  readonly regions: readonly {
    readonly region: string;
    readonly open: {
      readonly run: { readonly pausedFor: string | null };
      readonly progress: { readonly pagesPlanned: number; readonly pagesDone: number; readonly pagesFailed: number };
    } | null;
    readonly lastNight: {
      readonly finishedAt: Date | null;
      readonly productsListed: number | null;
      readonly productsAvailable: number | null;
      readonly verdict: string | null;
    } | null;
  }[];
  readonly listings: readonly {
    readonly listing: string;
    readonly requestsSpent: number;
    readonly quotaRemaining: number | null;
    readonly state: string;
  }[];
  readonly workersAlive: number;
  readonly quarantined: number;
}

/** Prometheus gauges over how things stand. */
export interface Metrics {
  readonly contentType: string;
  /** The text format of Prometheus. */
  render(measured: Measured): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `pricebook_${name}`, help, labelNames: [...labelNames], registers: [registry] });

  const age = gauge('snapshot_age_seconds', "Time since the region's last night was published.", ['region']);
  const isComplete = gauge('snapshot_certified', '1: the last night is certified, 0: it is partial.', ['region']);
  const listed = gauge('products_listed', 'Products listed after the last night.', ['region']);
  const available = gauge('products_available', 'Products for sale after the last night.', ['region']);
  const isOpen = gauge('run_open', '1: a run is under way.', ['region']);
  const isWaiting = gauge('run_waiting', '1: the run under way waits for a limit, a key or a server.', ['region']);
  const pages = gauge('run_pages', 'Pages of the run under way, by what became of them.', ['region', 'state']);
  const spent = gauge('requests_spent', 'Requests sent in the current month or quota period.', ['listing']);
  const left = gauge('requests_remaining', 'Requests left as the upstream said last.', ['listing']);
  const isStopped = gauge('listing_stopped', '1: the listing is not asked at present.', ['listing']);
  const workers = gauge('workers_alive', 'Processes that take work.');
  const quarantined = gauge('quarantined_records', 'Records that could not be understood and have not healed.');

  return {
    contentType: registry.contentType,
    render(measured) {
      registry.resetMetrics();
      for (const { region, open, lastNight } of measured.regions) {
        isOpen.set({ region }, open ? 1 : 0);
        isWaiting.set({ region }, open && open.run.pausedFor !== null ? 1 : 0);
        if (open) {
          const { pagesPlanned, pagesDone, pagesFailed } = open.progress;
          pages.set({ region, state: 'done' }, pagesDone);
          pages.set({ region, state: 'failed' }, pagesFailed);
          pages.set({ region, state: 'outstanding' }, pagesPlanned - pagesDone - pagesFailed);
        }
        if (!lastNight) continue;
        if (lastNight.finishedAt) age.set({ region }, secondsBetween(lastNight.finishedAt, measured.at));
        isComplete.set({ region }, lastNight.verdict === 'partial' ? 0 : 1);
        listed.set({ region }, lastNight.productsListed ?? 0);
        available.set({ region }, lastNight.productsAvailable ?? 0);
      }
      for (const { listing, requestsSpent, quotaRemaining, state } of measured.listings) {
        spent.set({ listing }, requestsSpent);
        if (quotaRemaining !== null) left.set({ listing }, quotaRemaining);
        isStopped.set({ listing }, state === 'ok' ? 0 : 1);
      }
      workers.set(measured.workersAlive);
      quarantined.set(measured.quarantined);
      return registry.metrics();
    },
  };
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1_000);
}
