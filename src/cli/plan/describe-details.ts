import type { RegionCode } from '../../base/model/index.ts';
import type { DetailsBacklog, Explained } from '../../crawl/status/details-backlog.ts';
import { count } from '../output/words.ts';

/** Describes tonight's details, the backlog, and the maximum age that details may reach. */
export function describeDetails({ chosen, without, wanted, ageBoundDays }: DetailsBacklog): string[] {
  const reasons = Object.entries(chosen).map(([reason, products]) => `${count(products)} ${reasonNames[reason]}`);
  const waiting = wanted - Object.values(chosen).reduce((sum, products) => sum + products, 0);
  const bound =
    ageBoundDays === null
      ? `products without details (${count(without)}) come first; the age of other details is not limited`
      : `with this plan no details become older than ${ageBoundDays === 1 ? '1 day' : `${count(ageBoundDays)} days`}`;
  return [
    ...(reasons.length === 0 ? [] : [`  details to request: ${reasons.join(', ')}; changes found on pages are added`]),
    ...(wanted === 0 ? [] : [`  ${bound}`]),
    ...(waiting === 0
      ? []
      : [`  ${count(waiting)} ${waiting === 1 ? 'product waits' : 'products wait'} for another night`]),
  ];
}

const reasonNames: Readonly<Record<string, string>> = {
  requested: 'by request',
  new: 'without details',
  changed: 'changed on pages',
  refresh: 'with the oldest details',
};

/** Explains whether and why a product's details are requested tonight. */
export function explain(region: RegionCode, productId: string, explained: Explained | null): string {
  const name = `${region} ${productId}`;
  if (explained === null) return `${name} is not a listed product, so its details are not requested.`;
  const { isWanted, isChosen, place } = explained;
  const why = whyWanted(explained);
  if (isChosen) return `The details of ${name} are requested tonight because ${why}.`;
  const denial = `The details of ${name} are not requested tonight`;
  if (isWanted) return `${denial} although ${why}: place ${count(place)} is beyond the limit.`;
  return `${denial}: ${why}, and those of others are older.`;
}

function whyWanted({ reason, ageDays }: Explained): string {
  const age = ageDays === null ? null : Math.round(ageDays);
  switch (reason) {
    case 'requested':
      return 'a search or a person asked for it';
    case 'new':
      return 'its details have never been read';
    case 'changed':
      return 'it changed on category pages after its details were read';
    case 'refresh':
      return `its details are ${age === 1 ? '1 day' : `${count(age!)} days`} old`;
  }
}
