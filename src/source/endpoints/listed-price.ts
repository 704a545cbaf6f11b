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
 * A product's price from wherever the payload keeps it: the chosen seller's offer, `price` as an object (`price` or
 * `actual` in it) or flat beside `unitPrice`. Null is a stated unknown. A price that is nowhere, or written in a way not
 * known here, is reported and null.
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
  // A list of sellers without an offer says that there is no price; one in another form says nothing.
  const hasSellers = sellers === null || (typeof sellers === 'object' && 'results' in sellers);
  return price === undefined && hasSellers ? null : price;
}

function priced(price: unknown, unitPrice: unknown, unitOfMeasure: unknown, report: ReportField): ListedPrice {
  const priceMinor = parseMoney(price);
  if (priceMinor === null && !isKnownNothing(price)) report('price.price', 'not an amount', price);
  if (isUnreadableUnitPrice(unitPrice)) report('price.unitPrice', 'not an amount', unitPrice);
  return { priceMinor, ...normaliseUnitPrice(unitPrice, unitOfMeasure) };
}

/** Nothing, 0 and amounts that no product costs state no price; any other value is one that cannot be read. */
function isKnownNothing(price: unknown): boolean {
  if (price === null || price === undefined) return true;
  return typeof price === 'number' ? price >= 0 : typeof price === 'string' && isAmount(price);
}
