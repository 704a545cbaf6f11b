import { z } from 'zod';
import { groceryTerms, settingsOf } from '../../app/compose/settings.ts';
import { worldAsBegun } from '../../app/compose/world.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { count, plural, type Row } from '../../base/format.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { writtenAmount } from '../../base/written-amount.ts';
import type { ListingTerms } from '../../crawl/run/quota-left.ts';
import { type NightPlan, nightsOfMonth, type Plan, plan } from '../../questions/plan.ts';
import { amountOf, amountText } from '../../source/listings/index.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, flag, maxDetailsOption, option } from '../option-values.ts';
import { formatOf, formats, writeRows } from '../output/rows.ts';
import { duration } from '../output/words.ts';
import { printJson } from '../read-verb.ts';
import { itemsOption } from '../simulated.ts';
import { withBase } from '../with-base.ts';

export const verb = defineVerb({
  options: {
    region: option('--region <region>', 'uk or ie; may be repeated (default: those of REGIONS)', addRegion),
    maxDetails: maxDetailsOption(),
    again: flag('--again', 'plan a certified night as if it were crawled again'),
    whatIf: option('--what-if <limits>', 'compare with other limits, such as quota=50000,rate=3,price=9.99', String),
    ...formats(),
    items: itemsOption(),
  },

  run(options, invocation) {
    const { config, clock, console } = invocation;
    const { region: regions = config.regions, maxDetails, items, whatIf } = options;
    // Other limits are compared by what a night costs, not by what is left of it.
    const again = options.again ?? whatIf !== undefined;
    const current = { name: 'current', terms: groceryTerms(config) };
    const alternatives = whatIf === undefined ? [] : [readWhatIf(whatIf, current.terms)];
    return withBase(invocation, async (base) => {
      const { db } = base;
      const world = await worldAsBegun(base, { simulator: items === undefined ? {} : { items } });
      const { assumedProducts, maxAgeDays } = settingsOf(config, {}, world);
      const needs = { now: clock.now(), maxDetails, maxAgeDays, again, regions, assumedProducts };
      const planned: (Plan & { readonly name: string })[] = [];
      for (const { name, terms } of [current, ...alternatives])
        planned.push({ name, ...(await plan(db, { ...needs, terms })) });
      const [now, ...others] = planned as [Plan, ...typeof planned];
      const format = formatOf(options);
      if (format === 'json') {
        const compared = others.map((one) => ({ whatIf: one.name, ...planJson(one) }));
        const also = whatIf === undefined ? {} : { whatIf: compared };
        return printJson(console, { version: 1, ...planJson(now), ...also });
      }
      const isPriced = whatIf !== undefined || now.nights.some(({ hasPlan }) => hasPlan);
      const isShown: Readonly<Record<string, boolean>> = { limits: whatIf !== undefined, cost: isPriced };
      await writeRows(console, format, {
        columns: csvColumns,
        table: columns.filter(([heading]) => isShown[heading] ?? true),
        batches: [planned.flatMap((one) => one.nights.map((night) => rowOf(one.name, night)))],
      });
      if (format !== 'table') return;
      for (const one of planned)
        for (const line of remarksOn(one)) console.say(whatIf === undefined ? line : `${one.name}: ${line}`);
      const whys = (others.length > 0 ? others : [now]).flatMap(({ nights }) => nights.map(whyUnknown));
      for (const why of isPriced ? new Set(whys) : []) if (why !== null) console.say(why);
    });
  },
});

/** `amount` is null if the price is unknown; `reason` then says why. */
const costJson = ({ amount, why }: NightPlan['cost']) => ({
  amount: amount && Number(amountText(amount)),
  currency: amount?.currency ?? null,
  ...(amount === null && { reason: why }),
});

const planJson = ({ nights, month }: Plan) => ({
  regions: nights.map(({ hasPlan: _, details, cost, ...night }) => ({
    ...night,
    cost: costJson(cost),
    details: { chosen: details },
  })),
  month,
});

const whyUnknown = ({ hasPlan, cost: { why } }: NightPlan): string | null =>
  hasPlan ? why && `Cost unknown: ${why}.` : 'No price is set: GROCERY_PRICE sets it, and price=9.99 in --what-if.';

const csvColumns = [
  ...['limits', 'region', 'snapshot_date', 'taxonomy', 'listing', 'details', 'total', 'seconds'],
  ...['cost', 'currency', 'deferred_details'],
];

function rowOf(limits: string, { region, snapshotDate, requests, seconds, cost, ...night }: NightPlan) {
  const { amount, currency } = costJson(cost);
  const known = amount === null ? 'unknown' : writtenAmount(amount.toFixed(4), currency, '-');
  const named = { limits, region, snapshot_date: snapshotDate, deferred_details: night.deferredDetails };
  return { ...named, ...requests, seconds, cost: amount, currency, said: night.hasPlan ? known : 'not set' };
}

const columns = Object.entries<(row: Row) => unknown>({
  limits: (row) => row['limits'],
  region: (row) => regions[row['region'] as RegionCode].name,
  night: (row) => row['snapshot_date'],
  requests: (row) => row['total'],
  time: (row) => duration(row['seconds'] as number),
  cost: (row) => row['said'],
  pages: (row) => row['listing'],
  details: (row) => row['details'],
  'details waiting': (row) => row['deferred_details'],
});

function remarksOn({ nights, month }: Plan): string[] {
  const { endsAt, requestsUsed: used, requestsExpected: expected, isQuotaSufficient: isSufficient } = month;
  const remarks = nights.flatMap(({ region, snapshotDate, state, notes }) => {
    const name = regions[region].name;
    if (state === 'certified')
      return [`${name}: the night of ${snapshotDate} is certified already; --again plans another crawl.`];
    const opened = state === 'open' ? [`${name}: the open run of ${snapshotDate} continues.`] : [];
    return [...opened, ...notes.map((note) => `${name}: ${note}.`)];
  });
  const until = endsAt.toISOString().slice(0, 10);
  const about = (requests: number) => `about ${count(Math.ceil(requests / 100) * 100)}`;
  const verdict =
    isSufficient === null ? 'no quota is known' : `the quota ${isSufficient ? 'suffices' : 'does not suffice'}`;
  return [
    ...remarks,
    `Until ${until}: ${plural(used, 'request')} used by all regions, ${about(expected)} expected in all; ${verdict}.`,
    `The next ${nightsOfMonth} nights: ${about(month.requestsOfMonth)} requests, with details only as they become due.`,
  ];
}

const decimal = z.string().regex(/^\d{1,6}(\.\d{1,6})?$/);
const quota = z.string().regex(/^\d{1,12}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);

/** `price` is per month, `extra` per request beyond the quota, both in `currency`. */
const Limits = z.strictObject({ quota, rate: decimal, price: decimal, extra: decimal, currency }).partial();

/** Parses `quota=50000,rate=3` into the listing's terms with other limits. */
function readWhatIf(text: string, terms: ListingTerms) {
  const parts = text.split(',').map((part) => part.split('=').map((word) => word.trim()));
  const { data: limits } = Limits.safeParse(Object.fromEntries(parts));
  if (!limits)
    throw new UsageInvalid(
      `--what-if ${text} is invalid; an example is quota=50000,rate=3,price=9.99,extra=0.0005,currency=USD.`,
    );
  const { price, extra } = limits;
  const { plan, pricePerExtraRequest } = terms.subscription;
  const inCurrency = limits.currency ?? plan?.pricePerMonth?.currency ?? 'USD';
  const subscription = {
    ...terms.subscription,
    plan: price === undefined ? plan : { name: 'What if', pricePerMonth: amountOf(price, inCurrency) },
    pricePerExtraRequest: extra === undefined ? pricePerExtraRequest : amountOf(extra, inCurrency),
  };
  const others = {
    monthlyQuota: limits.quota === undefined ? terms.monthlyQuota : Number(limits.quota),
    requestsPerSecond: limits.rate === undefined ? terms.requestsPerSecond : Number(limits.rate),
    isFree: terms.isFree && price === undefined && extra === undefined,
  };
  return { name: text, terms: { ...terms, ...others, subscription } };
}
