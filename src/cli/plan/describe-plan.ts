import type { NightPlan } from '../../crawl/status/plan-night.ts';
import { type Cost, describeAmount } from '../../source/listings/index.ts';
import { count, duration } from '../output/words.ts';

/** A region's night ahead, in a line and what there is to know of it. */
export function describePlan(plan: NightPlan): string[] {
  const { region, snapshotDate, state, notes, deferredDetails } = plan;
  const night = `${region} ${snapshotDate}`;
  if (state === 'certified')
    return [`${night}: certified already, nothing is asked; --again plans it as if it were crawled again`];
  const waits = deferredDetails === 0 ? [] : [`  ${count(deferredDetails)} details wait for another night`];
  return [
    `${night}: ${state === 'open' ? 'goes on with ' : ''}${forecastWords(plan)}`,
    ...waits,
    ...notes.map((note) => `  ${note}`),
  ];
}

/** `1,012 requests (1 taxonomy, 811 pages, 200 details), about 3 min 20 s, 0.20 USD`. */
export function forecastWords({ requests, seconds, cost }: Pick<NightPlan, 'requests' | 'seconds' | 'cost'>): string {
  const { taxonomy, listing, details, total } = requests;
  const stages = `${count(taxonomy)} taxonomy, ${count(listing)} pages, ${count(details)} details`;
  return `${count(total)} requests (${stages}), about ${duration(seconds)}, ${costWords(cost)}`;
}

export const costWords = ({ amount, why }: Cost): string =>
  amount === null ? `cost not known: ${why}` : describeAmount(amount);
