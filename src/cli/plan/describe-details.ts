import type { RegionCode } from '../../base/model/index.ts';
import type { DetailsBacklog, Explained } from '../../crawl/status/details-backlog.ts';
import { count } from '../output/words.ts';

/** Which details are asked for tonight, how many wait, and how old details may become. */
export function describeDetails({ chosen, without, wanted, ageBoundDays }: DetailsBacklog): string[] {
  const reasons = Object.entries(chosen).map(([reason, products]) => `${count(products)} ${reasonNames[reason]}`);
  const waiting = wanted - Object.values(chosen).reduce((sum, products) => sum + products, 0);
  const bound =
    ageBoundDays === null
      ? `products without details (${count(without)}) come first: nothing is promised of how old others become`
      : `no details become older than ${count(ageBoundDays)} days on this plan`;
  return [
    ...(reasons.length === 0
      ? []
      : [`  details known to be asked: ${reasons.join(', ')}; what the pages show comes on top`]),
    ...(wanted === 0 ? [] : [`  ${bound}`]),
    ...(waiting === 0 ? [] : [`  ${count(waiting)} products wait for another night`]),
  ];
}

const reasonNames: Readonly<Record<string, string>> = {
  requested: 'by request',
  new: 'without details',
  changed: 'whose listing changed',
  refresh: 'longest unread',
};

/** One sentence on why a product's details would be asked for tonight, or not. */
export function explain(region: RegionCode, productId: string, explained: Explained | null): string {
  const name = `${region} ${productId}`;
  if (explained === null) return `${name} is not among the listed products, so nothing is asked of it.`;
  const { isWanted, isChosen, place } = explained;
  const why = whyWanted(explained);
  if (isChosen) return `${name} is asked for because ${why}.`;
  if (isWanted)
    return `${name} is not asked for tonight although ${why}: it has place ${count(place)}, beyond the limit.`;
  return `${name} is not asked for: ${why}, and others were unread for longer.`;
}

function whyWanted({ reason, ageDays }: Explained): string {
  const age = ageDays === null ? null : Math.round(ageDays);
  switch (reason) {
    case 'requested':
      return 'a search or a person asked for it';
    case 'new':
      return 'nothing is known of its details';
    case 'changed':
      return 'its listing changed since its details were read';
    case 'refresh':
      return `its details are ${age === 1 ? '1 day' : `${count(age!)} days`} old`;
  }
}
