import { isAmount, parseMoney } from '../normalise/money.ts';
import { normaliseUnitPrice } from '../normalise/unit-price.ts';

interface ListedPrice {
  readonly priceMinor: number | null;
  readonly unitPrice: string | null;
  readonly unitOfMeasure: string | null;
}

/**
 * A product's price from wherever the payload keeps it: the first of `sellers.results`, `price` as an object (`price`
 * or `actual` in it) or flat beside `unitPrice`. null is a stated unknown; a flat unit price beside it counts. A text
 * instead of a result is the reason why there is none: a price that is nowhere, or written in a way not known here,
 * must not pass for "no price".
 */
export function readListedPrice(product: Readonly<Record<string, unknown>>): ListedPrice | string {
  const price = priceOf(product);
  if (price === undefined) return 'price: missing';
  if (price === null || typeof price !== 'object') return priced(price, product['unitPrice'], product['unitOfMeasure']);
  const { price: listed, actual, unitPrice, unitOfMeasure } = price as Record<string, unknown>;
  if (listed === undefined && actual === undefined) return 'price.price: missing';
  return priced(listed ?? actual, unitPrice, unitOfMeasure);
}

function priceOf(product: Readonly<Record<string, unknown>>): unknown {
  const { sellers } = product;
  if (typeof sellers === 'object' && sellers !== null) {
    const { results } = sellers as { results?: unknown };
    if (!Array.isArray(results)) return results === null ? null : product['price'];
    const first = firstSeller(results);
    if (typeof first === 'object' && first !== null && 'price' in first) return first.price;
    return product['price'] === undefined ? null : product['price'];
  }
  return product['price'] === undefined && sellers === null ? null : product['price'];
}

/** Lists of the supermarket's own API may have null elements. */
export const firstSeller = (results: readonly unknown[]): unknown => results.find((seller) => seller !== null);

function priced(price: unknown, unitPrice: unknown, unitOfMeasure: unknown): ListedPrice | string {
  const priceMinor = parseMoney(price);
  const isUnderstood = price === null || price === undefined || typeof price === 'number';
  if (priceMinor === null && !isUnderstood && !(typeof price === 'string' && isAmount(price)))
    return 'price.price: not an amount';
  return { priceMinor, ...normaliseUnitPrice(unitPrice, unitOfMeasure) };
}
