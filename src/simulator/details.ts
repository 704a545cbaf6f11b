import { type Answer, invalidQuestion, success } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import { factsOf } from './food-facts.ts';
import { hash } from './hash.ts';
import { generationsPerSlot } from './numbering.ts';
import type { Product } from './product.ts';
import { amount, ieIdentity, iePromotion, unitPriceOf } from './product-json.ts';
import type { RegionCode } from './taxonomy.ts';
import { describe } from './words.ts';
import type { Question, World } from './world.ts';

/** `GET /product-details` and `/ireland-product-details`: the supermarket's batch under `results`. */
export function answerDetails(region: RegionCode, { query }: Question, world: World): Answer {
  const asked = query.get('productId') ?? '';
  if (asked === '') return invalidQuestion('Product ID is required');
  if (asked.length > longestId) return invalidQuestion(`Product ID must be at most ${longestId} characters`);

  const productId = /(\d+)\/?(?:[?#].*)?$/.exec(asked)?.[1] ?? asked;
  const product = find(productId, world.catalogues[region], world.dayOf(region));
  return success(`{"productId":${JSON.stringify(productId)},"results":[{"data":{"product":${product}}}]}`);
}

/** The vendor refuses longer product ids. */
const longestId = 500;

/** JSON of a product, of a departed product, or null. Half of the departed products keep a record with a name. */
function find(productId: string, catalogue: Catalogue, day: number): string {
  const place = catalogue.numbering.slotOf(productId);
  if (!place) return 'null';
  const generation = catalogue.generation(place.slot, day);
  const isCurrent = generation !== null && generation % generationsPerSlot === place.generation;
  if (isCurrent && catalogue.isPresent(place.slot, day)) return written(catalogue.product(place.slot, day));
  if (place.slot % 2 === 1) return 'null';
  if (isCurrent && catalogue.isWithdrawn(place.slot))
    return written(catalogue.product(place.slot, day), 'ProductNotFound');
  if (isCurrent) return 'null';
  const former = catalogue.formerGeneration(place.slot, place.generation, day);
  return former === null ? 'null' : written(catalogue.formerProduct(place.slot, former, day), 'ProductNotFound');
}

function written(product: Product, gone: 'ProductNotFound' | null = null): string {
  const { slot, leaf, attributes } = product;
  const isGone = gone !== null;
  const sentence = describe(leaf, hash(attributes, 931));
  const description = slot % 3 === 0 ? sentence : [sentence, '<p>Please recycle the packaging.</p>'];
  const instead = { ...(isGone ? { status: gone } : {}), ...(slot % 50 === 0 ? { image: 'null' } : {}) };
  const price =
    isGone || product.priceMinor === null ? 'null' : `{"actual":${amount(product.priceMinor)},${unitPriceOf(product)}}`;
  const promotions = isGone ? [] : product.promotions.map((promotion) => iePromotion(promotion, product));
  return (
    `{${ieIdentity(product, instead)},"description":${JSON.stringify(description)},` +
    `"minWeight":null,"maxWeight":null,"increment":null,"bulkBuyLimitMessage":"Max allowed is 99.",` +
    `"timeRestrictedDelivery":null,"substitutions":[],` +
    `"catchWeightList":${catchWeights(product)},"price":${price},` +
    `"promotions":[${promotions.join(',')}],` +
    `"details":${JSON.stringify(factsOf(product))}}`
  );
}

/** Packs on sale for a product priced per kilogram. */
function catchWeights({ pack, unitPriceMinor }: Product): string {
  if (pack.priced !== 'catchweight' || unitPriceMinor === null) return 'null';
  const packs = [1, 1.1, 1.25].map((factor, index) => {
    const weight = Math.round(pack.amount * factor) / 1000;
    return { price: Math.round(weight * unitPriceMinor) / 100, weight, default: index === 0 };
  });
  return JSON.stringify(packs);
}
