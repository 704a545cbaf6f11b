import type { NightPlan } from '../../crawl/status/plan-night.ts';
import { type Cost, describeAmount } from '../../source/listings/index.ts';
import { count, duration } from '../output/words.ts';

/** Describes the planned night of a region. */
export function describePlan(plan: NightPlan): string[] {
  const { region, snapshotDate, state, notes, deferredDetails } = plan;
  const night = `${region} ${snapshotDate}`;
  if (state === 'certified') return [`${night}: certified already, no requests; --again plans another crawl`];
  const waits =
    deferredDetails === 0
      ? []
      : [`  ${count(deferredDetails)} ${deferredDetails === 1 ? 'detail waits' : 'details wait'} for another night`];
  return [
    `${night}: ${state === 'open' ? 'continues with ' : ''}${forecastWords(plan)}`,
    ...waits,
    ...notes.map((note) => `  ${note}`),
  ];
}

/** `1,012 requests (1 taxonomy, 811 pages, 200 details), about 3 min 20 s, 0.20 USD`; without a plan, no money. */
export function forecastWords({
  requests,
  seconds,
  cost,
  hasPlan,
}: Pick<NightPlan, 'requests' | 'seconds' | 'cost' | 'hasPlan'>): string {
  const { taxonomy, listing, details, total } = requests;
  const stages = `${count(taxonomy)} taxonomy, ${count(listing)} pages, ${count(details)} details`;
  return `${count(total)} requests (${stages}), about ${duration(seconds)}${hasPlan ? `, ${costWords(cost)}` : ''}`;
}

export const costWords = ({ amount, why }: Cost): string =>
  amount === null ? `cost unknown: ${why}` : describeAmount(amount);
