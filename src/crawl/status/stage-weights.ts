import type { RegionCode } from '../../base/model/index.ts';
import type { Requests } from '../plan/forecast.ts';
import type { NightBudget } from '../plan/night-budget.ts';
import type { ListingTerms } from './quota-left.ts';

/** Units that a request of each phase counts against the limits. */
export type StageWeights = Omit<Requests, 'total'>;

export function weightsOf({ weights }: ListingTerms, region: RegionCode): StageWeights {
  const weightOf = (endpoint: string) => weights[`${region}-${endpoint}`] ?? 1;
  return {
    taxonomy: weightOf('taxonomy'),
    listing: weightOf('category-page'),
    details: weightOf('product-details'),
  };
}

export const unitsOf = ({ taxonomy, listing, details }: Omit<Requests, 'total'>, weigh: StageWeights): number =>
  taxonomy * weigh.taxonomy + listing * weigh.listing + details * weigh.details;

/** Converts a budget from units, which limits count, to requests, which plans count. */
export function inRequests({ details, pages }: NightBudget, { taxonomy }: Requests, weigh: StageWeights): NightBudget {
  return {
    details: details === null ? null : Math.floor(details / weigh.details),
    pages:
      pages === null ? null : taxonomy + Math.max(0, Math.floor((pages - taxonomy * weigh.taxonomy) / weigh.listing)),
  };
}
