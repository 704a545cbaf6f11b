import { compose } from '../../app/compose.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { describeCost } from '../../crawl/ledger/run-cost.ts';
import type { Run } from '../../crawl/ledger/runs.ts';
import { runJson } from '../../web/status-json.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readRegion, wholeNumber } from '../option-values.ts';
import { tableOf } from '../output/table.ts';

interface Options {
  readonly region?: RegionCode;
  readonly limit: number;
  readonly json?: boolean;
}

export const runs = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--limit <n>', 'maximum number of runs', wholeNumber(1), 20)
      .option('--json', 'print JSON');
  },

  run({ region, limit, json }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'runs' }), async (base) => {
      const found = await base.runs.recent(limit, region);
      if (json) await console.data(`${JSON.stringify({ version: 2, runs: found.map(runJson) })}\n`);
      else if (found.length === 0) console.say('There are no runs yet. `pricebook crawl` starts the first one.');
      else await console.data(tableOf(columns, found));
    });
  },
});

const columns: Readonly<Record<string, (run: Run) => unknown>> = {
  run: ({ runId }) => runId,
  region: (run) => run.region,
  night: (run) => run.snapshotDate,
  status: (run) => (run.pausedFor === null || run.status !== 'open' ? run.status : 'waiting'),
  certificate: (run) => run.verdict?.replaceAll('_', ' '),
  listed: (run) => run.productsListed,
  available: (run) => run.productsAvailable,
  requests: (run) => run.requestsSpent,
  cost: ({ cost }) => cost && describeCost(cost),
  by: (run) => run.origin,
  started: (run) => run.startedAt,
  finished: (run) => run.finishedAt,
};
