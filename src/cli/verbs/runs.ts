import { regions } from '../../base/model/index.ts';
import { describeCost } from '../../crawl/run/cost.ts';
import type { Run } from '../../crawl/run/runs.ts';
import { runJson } from '../../web/status-json.ts';
import { option, preset, readRegion, wholeNumber } from '../option-values.ts';
import { tableOf } from '../output/table.ts';
import { duration } from '../output/words.ts';
import { readVerb } from '../read-verb.ts';

export const verb = readVerb({
  options: {
    region: option('--region <region>', 'uk or ie (default: both)', readRegion),
    limit: preset(20, '--limit <n>', 'maximum number of runs', wholeNumber(1)),
  },

  async read({ region, limit }, base) {
    const found = await base.runs.recent(limit, region);
    const json = { version: 2, runs: found.map(runJson) };
    if (found.length === 0) return { json, notes: ['There are no runs yet. `pricebook crawl` starts the first one.'] };
    return { json, text: tableOf(columns, found) };
  },
});

const columns = Object.entries<(run: Run) => unknown>({
  run: ({ runId }) => String(runId),
  region: (run) => regions[run.region].name,
  night: (run) => run.snapshotDate,
  status: (run) => (run.stop === null || run.status !== 'open' ? run.status : 'waiting'),
  certificate: (run) => run.verdict?.replaceAll('_', ' '),
  listed: (run) => run.productsListed,
  available: (run) => run.productsAvailable,
  requests: (run) => run.requestsSpent,
  cost: ({ cost }) => cost && describeCost(cost),
  by: (run) => run.origin,
  'started, UTC': ({ startedAt }) => startedAt.toISOString().slice(0, 16).replace('T', ' '),
  took: ({ startedAt, finishedAt }) => finishedAt && duration((finishedAt.getTime() - startedAt.getTime()) / 1_000),
});
