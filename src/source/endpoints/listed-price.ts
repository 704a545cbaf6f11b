import { isAmount, parseMoney } from '../normalise/money.ts';
import { isUnreadableUnitPrice, normaliseUnitPrice } from '../normalise/unit-price.ts';
import type { ReportField } from './elements.ts';
import type { Offer } from './seller.ts';

interface ListedPrice {
  readonly priceMinor: number | null;
  readonly unitPrice: string | null;
  readonly unitOfMeasure: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Price of a product: from the chosen seller's offer, from `price` as an object (`price` or `actual`), or flat beside
 * `unitPrice`. Null: the payload states that there is no price. A missing or unreadable price is reported and null.
 */
export function readListedPrice(product: Fields, offer: Offer | null, report: ReportField): ListedPrice {
  const price = priceOf(product, offer);
  if (price === undefined) report('price', 'missing', undefined);
  if (price === undefined || price === null || typeof price !== 'object')
    return priced(price, product['unitPrice'], product['unitOfMeasure'], report);
  const { price: listed, actual, unitPrice, unitOfMeasure } = price as Fields;
  if (listed === undefined && actual === undefined) report('price.price', 'missing', price);
  return priced(listed ?? actual, unitPrice, unitOfMeasure, report);
}

function priceOf(product: Fields, offer: Offer | null): unknown {
  if (offer?.price !== undefined) return offer.price;
  const { sellers, price } = product;
  // A list of sellers without an offer states that there is no price; sellers of another shape state nothing.
  const hasSellers = sellers === null || (typeof sellers === 'object' && 'results' in sellers);
  return price === undefined && hasSellers ? null : price;
}

function priced(price: unknown, unitPrice: unknown, unitOfMeasure: unknown, report: ReportField): ListedPrice {
  const priceMinor = parseMoney(price);
  if (priceMinor === null && !isKnownNothing(price)) report('price.price', 'not an amount', price);
  if (isUnreadableUnitPrice(unitPrice)) report('price.unitPrice', 'not an amount', unitPrice);
  return { priceMinor, ...normaliseUnitPrice(unitPrice, unitOfMeasure) };
}

/** Whether a value states that there is no price: null, 0 and implausible amounts. Other values are unreadable. */
function isKnownNothing(price: unknown): boolean {
  if (price === null || price === undefined) return true;
  return typeof price === 'number' ? price >= 0 : typeof price === 'string' && isAmount(price);
}
