import { Option } from 'commander';
import { groceryTerms } from '../../app/compose/settings.ts';
import { productsAssumed } from '../../app/compose/world.ts';
import { compose } from '../../app/compose.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { type DetailsBacklog, readDetailsBacklog } from '../../crawl/status/details-backlog.ts';
import { type NightPlan, planNights } from '../../crawl/status/plan-night.ts';
import { using } from '../closing.ts';
import type { Console } from '../console.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, maxDetailsOption } from '../option-values.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';
import { formatTable } from '../output/table.ts';
import { count, duration } from '../output/words.ts';
import { describeDetails, explain } from '../plan/describe-details.ts';
import { costWords, describePlan } from '../plan/describe-plan.ts';
import { planJson } from '../plan/plan-json.ts';
import { type Alternative, plansSold, readWhatIf } from '../plan/what-if.ts';
import { declareItems, type ItemsOption } from '../simulated.ts';

interface Options extends FormatOptions, ItemsOption {
  readonly region?: readonly RegionCode[];
  readonly maxDetails: number;
  readonly again?: boolean;
  readonly whatIf?: string;
  readonly explain?: string;
}

export const plan = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie; may be repeated (default: both)', addRegion)
      .addOption(maxDetailsOption())
      .option('--again', 'plan a certified night as if it were crawled again')
      .option('--what-if <limits>', 'compare with other limits, such as quota=50000,rate=3,price=9.99');
    command.addOption(
      new Option(
        '--explain <product>',
        'explain whether and why the details of this product id are requested tonight',
      ).conflicts(['whatIf', 'csv']),
    );
    declareFormats(command);
    declareItems(command);
  },

  run(options, { config, clock, log, console }) {
    const {
      region: regions = regionCodes,
      maxDetails,
      again = false,
      whatIf,
      explain: productId = null,
      items,
    } = options;
    const terms = groceryTerms(config);
    const alternatives = whatIf === undefined ? [] : [readWhatIf(whatIf, terms), ...plansSold(terms)];
    return using(compose(config, { clock, log, name: 'plan' }), async (base) => {
      const assumedProducts = await productsAssumed(base, items);
      const now = clock.now();
      const backlog = new Map<RegionCode, DetailsBacklog>();
      for (const region of regions) {
        const limits = { now, limit: maxDetails, maxAgeDays: config.detailsMaxAgeDays, explain: productId };
        backlog.set(region, await readDetailsBacklog(base.db, region, limits));
      }
      if (productId !== null) {
        const explained = [...backlog].map(([region, each]) => ({
          region,
          product_id: productId,
          reason: each.explained?.isChosen ? each.explained.reason : null,
          says: explain(region, productId, each.explained),
        }));
        if (options.json) await console.data(`${JSON.stringify({ version: 1, explained })}\n`);
        else for (const { says } of explained) await console.data(`${says}\n`);
        return;
      }
      const needs = { now, maxDetails, again, regions, assumedProducts, backlog };
      const planned = [];
      for (const { name, terms: theirs } of [{ name: 'current', terms }, ...alternatives]) {
        planned.push({ name, terms: theirs, plans: await planNights(base.db, { ...needs, terms: theirs }) });
      }
      const [asItIs, ...others] = planned;
      const format = formatOf(options);
      if (format === 'json') {
        const compared = others.map(({ name, plans }) => ({
          what_if: name,
          regions: plans.map((each) => planJson(each)),
        }));
        const also = whatIf === undefined ? {} : { what_if: compared };
        const regions = asItIs!.plans.map((each) => planJson(each, backlog.get(each.region)));
        await console.data(`${JSON.stringify({ version: 1, regions, ...also })}\n`);
      } else if (format === 'csv') await writeCsv(console, planned);
      else {
        for (const each of asItIs!.plans) {
          const details = each.state === 'certified' ? [] : describeDetails(backlog.get(each.region)!);
          for (const line of [...describePlan(each), ...details]) await console.data(`${line}\n`);
        }
        if (whatIf !== undefined) await console.data(`\n${comparison(planned)}`);
      }
    });
  },
});

interface Planned extends Alternative {
  readonly plans: readonly NightPlan[];
}

const csvColumns = [
  'limits',
  'region',
  'snapshot_date',
  'taxonomy',
  'listing',
  'details',
  'total',
  'seconds',
  'cost',
  'currency',
  'deferred_details',
] as const;

async function writeCsv(console: Console, planned: readonly Planned[]): Promise<void> {
  const rows = planned.flatMap(({ name, plans }) =>
    plans.map((each) => {
      const { region, snapshot_date, requests, seconds, cost, deferred_details } = planJson(each);
      const { amount, currency } = cost;
      return { limits: name, region, snapshot_date, ...requests, seconds, cost: amount, currency, deferred_details };
    }),
  );
  await writeRows(console, 'csv', { columns: csvColumns, head: {}, batches: [rows] });
}

function comparison(planned: readonly Planned[]): string {
  const columns = ['limits', 'quota', 'rate', 'region', 'requests', 'details', 'deferred', 'time', 'cost'];
  const rows = planned.flatMap(({ name, terms, plans }) =>
    plans.map((each) => [
      name,
      terms.monthlyQuota === null ? 'by headers' : terms.monthlyQuota === 0 ? 'unlimited' : count(terms.monthlyQuota),
      terms.requestsPerSecond === 0 ? 'unlimited' : terms.requestsPerSecond,
      each.region,
      each.requests.total,
      each.requests.details,
      each.deferredDetails,
      duration(each.seconds),
      each.cost.amount === null ? 'unknown' : costWords(each.cost),
    ]),
  );
  const certified = planned[0]!.plans.filter(({ state }) => state === 'certified');
  const whyNothing = certified.map(
    ({ region, snapshotDate }) =>
      `${region}: 0 requests, because ${snapshotDate} is certified already; --again plans another crawl.\n`,
  );
  return `${formatTable(columns, rows)}${whyNothing.join('')}`;
}
