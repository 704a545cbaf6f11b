import { type Answer, success } from './answer.ts';
import { answerCategoryPage } from './category-page.ts';
import { answerDetails } from './details.ts';
import type { ListingName } from './hosts.ts';
import { answerSearch } from './search.ts';
import { answerStoreList } from './stores.ts';
import type { RegionCode } from './taxonomy.ts';
import { answerTaxonomy } from './taxonomy-json.ts';
import type { Question, World } from './world.ts';

export interface SimulatedEndpoint {
  readonly listings: readonly ListingName[];
  readonly region: RegionCode | null;
  answer(question: Question, world: World): Answer;
}

/** Endpoint at a path of a listing; null: the gateway does not know the path. */
export function endpointAt(path: string, listing: ListingName, world: World): SimulatedEndpoint | null {
  const { ukTaxonomyPath } = world.behaviour;
  const name = path.slice(1);
  if (name === (ukTaxonomyPath === 'singular' ? plural : singular)) return null;
  const endpoint = endpoints[name === plural ? singular : name];
  return endpoint?.listings.includes(listing) ? endpoint : null;
}

const singular = 'get-category-id-for-uk';
const plural = 'get-category-ids-for-uk';

const endpoints: Readonly<Record<string, SimulatedEndpoint>> = {
  'product-search-by-keyword': grocery('uk', answerSearch),
  'product-details': grocery('uk', (question, world) => answerDetails('uk', question, world)),
  'ireland-product-details': grocery('ie', (question, world) => answerDetails('ie', question, world)),
  'category-page': grocery('uk', (question, world) => answerCategoryPage('uk', question, world)),
  'ireland-category-page': grocery('ie', (question, world) => answerCategoryPage('ie', question, world)),
  [singular]: grocery('uk', (question, world) => answerTaxonomy('uk', question, world)),
  'get-category-ids-for-ireland': grocery('ie', (question, world) => answerTaxonomy('ie', question, world)),
  'store-list': { listings: ['stores'], region: null, answer: answerStoreList },
  health: {
    listings: ['grocery', 'property_1', 'property_2'],
    region: null,
    answer: () => ({ ...success('null'), body: '{"success":true,"message":"Service is healthy"}' }),
  },
};

function grocery(region: RegionCode, answer: SimulatedEndpoint['answer']): SimulatedEndpoint {
  return { listings: ['grocery'], region, answer };
}
