import { createInstruments } from '../../src/base/metrics/instruments.ts';
import { type GaugeValues, renderGauges } from '../../src/web/monitoring/gauges.ts';

const at = new Date('2026-06-10T12:00:00Z');
const region = (name: string, more: object) => ({
  region: name,
  open: null,
  lastNight: null,
  held: null,
  ...more,
});

/** Everything there is to show. */
export const values = {
  at,
  regions: [
    region('uk', {
      open: { run: { stop: { detail: 'its pace' } }, progress: { pagesPlanned: 10, pagesDone: 6, pagesFailed: 1 } },
      lastNight: {
        finishedAt: new Date('2026-06-10T02:00:00Z'),
        productsListed: 160,
        productsAvailable: 150,
        verdict: 'partial',
      },
    }),
    region('ie', { held: {} }),
  ],
  listings: [{ listing: 'grocery', requestsSpent: 1_200, quotaRemaining: 8_800, state: 'denied' }],
  workersAlive: 2,
  quarantined: 3,
  certified: [{ region: 'uk', finishedAt: new Date('2026-06-09T02:00:00Z') }],
  windows: [
    { listing: 'grocery', window: 'month', used: 1_200, limit: 10_000 },
    { listing: 'stores', window: 'month', used: 5, limit: null },
  ],
  queues: [{ queue: 'crawl-uk', state: 'waiting', jobs: 40 }],
} as unknown as GaugeValues;

/** Every metric the program has, in the text format of Prometheus. */
export async function renderEverything(): Promise<string> {
  const instruments = createInstruments({ role: 'work', version: '1.2.3' });
  const asked = { listing: 'grocery', endpoint: 'uk-category-page' };
  instruments.request({ ...asked, outcome: 'ok', seconds: 0.15 });
  instruments.request({ ...asked, outcome: 'ok', seconds: 0.6 });
  instruments.request({ ...asked, outcome: 'aborted', seconds: null });
  instruments.job({ job: 'finish-crawl', outcome: 'done', seconds: 4 });
  instruments.publication({ region: 'uk', seconds: 0.8 });
  const checks = [
    { name: 'database', isNeeded: true, reason: null },
    { name: 'queue', isNeeded: true, reason: 'away' },
  ];
  return (await instruments.render()) + (await renderGauges(checks, values));
}

/** Name, type and labels of every metric of a text, as the page of the docs lists them. */
export function metricsIn(text: string): { name: string; type: string; labels: string[] }[] {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => {
    const sample = new RegExp(`^${name}(?:_bucket|_count|_sum)?(?:\\{([^}]*)\\})? `, 'm').exec(text)?.[1] ?? '';
    const labels = [...sample.matchAll(/(\w+)="/g)].map(([, label]) => label!).filter((label) => label !== 'le');
    return { name: name!, type: type!, labels: labels.sort() };
  });
}
