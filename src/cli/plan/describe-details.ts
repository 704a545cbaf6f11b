import type { RegionCode } from '../../model/index.ts';
import type { DetailsBacklog, Explained } from '../../status/details-backlog.ts';
import { count } from '../output/words.ts';

/** What tonight's details are, what waits, and what is known of what is missed. */
export function describeDetails({ chosen, without, wanted, ageBoundDays, next, missed }: DetailsBacklog): string[] {
  const reasons = Object.entries(chosen).map(
    ([reason, products]) => `${count(products)} ${reasonNames[reason] ?? reason}`,
  );
  const bound =
    ageBoundDays === null
      ? `products without details (${count(without)}) come first: nothing is promised of how old others become`
      : `no details become older than ${count(ageBoundDays)} days on this plan`;
  return [
    ...(reasons.length === 0
      ? []
      : [`  details known to be asked: ${reasons.join(', ')}; what the pages show comes on top`]),
    ...(wanted === 0 ? [] : [`  ${bound}`]),
    ...(next.requests === 0 ? [] : [`  ${nextWords(next)}`]),
    missed === null
      ? '  what the plan misses is not known yet: no product was drawn by chance so far'
      : `  the plan missed ${percent(missed.share)} of the changes of details (95 % interval ${percent(missed.low)} to ${percent(missed.high)}, from ${count(missed.asked)} products drawn by chance)`,
  ];
}

function nextWords({ requests, withoutDetails, expectedChanges }: DetailsBacklog['next']): string {
  const refreshed = requests - withoutDetails;
  const parts = [
    ...(withoutDetails > 0 ? [`the details of ${count(withoutDetails)} products that have none`] : []),
    ...(refreshed > 0
      ? [`${count(refreshed)} refreshes, of which about ${count(expectedChanges)} would find a change`]
      : []),
  ];
  return `${count(requests)} requests more would buy ${parts.join(' and ')}`;
}

const reasonNames: Readonly<Record<string, string>> = {
  new: 'without details',
  overdue: 'as old as they may become',
  tile: 'whose title, brand, code or picture changed',
  changed: 'whose listing changed',
  refresh: 'likely to have changed',
  explore: 'to explore',
  audit: 'by chance',
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** One sentence on why a product's details would be asked for tonight, or not. */
export function explain(region: RegionCode, productId: string, explained: Explained | null): string {
  const name = `${region} ${productId}`;
  if (explained === null) return `${name} is not among the listed products, so nothing is asked of it.`;
  const { reason, isNew, chance, ageDays, rate, visits, place } = explained;
  if (isNew) {
    return reason === 'new'
      ? `${name} is asked for because nothing is known of its details.`
      : `${name} has no details yet and waits: others without any come before it tonight.`;
  }
  const age = `its details are ${count(Math.round(ageDays!))} days old`;
  const judged = `${age}, it changes about once in ${count(Math.max(1, Math.round(1 / rate!)))} days by ${count(visits!)} visits, so with ${percent(chance!)} they have changed`;
  switch (reason) {
    case null:
      return `${name} is not asked for: ${judged}, which puts it at place ${count(place!)} by value.`;
    case 'overdue':
      return `${name} is asked for because ${age} and would otherwise become older than allowed.`;
    case 'explore':
      return `${name} is asked for to learn how often it changes: ${count(visits!)} visits so far.`;
    case 'audit':
      return `${name} was drawn by chance, to see what the plan misses.`;
    case 'tile':
      return `${name} is asked for because its title, brand, code or picture changed since its details were read.`;
    default:
      return `${name} is asked for because ${judged}, which puts it at place ${count(place!)} by value.`;
  }
}
