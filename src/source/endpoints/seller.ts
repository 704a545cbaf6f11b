import { parseMoney } from '../normalise/money.ts';
import { readLabel } from '../normalise/text.ts';

/** A seller's offer of a product. */
export interface Offer {
  /** Undefined: the price stands elsewhere. */
  readonly price: unknown;
  readonly promotions: unknown;
  /** Seller's name as received; null: missing. */
  readonly seller: string | null;
}

/** Name of the supermarket among sellers of its marketplace. */
const ownName = /^tesco\b/i;

/**
 * Chooses an offer of `sellers.results` independently of their order: the supermarket's own, otherwise the cheapest
 * with a price, otherwise the first by name. Null: no offers.
 */
export function chooseOffer(sellers: unknown): Offer | null {
  if (typeof sellers !== 'object' || sellers === null) return null;
  const { results } = sellers as { results?: unknown };
  if (!Array.isArray(results)) return null;
  const offers = results.flatMap((result: unknown) =>
    typeof result === 'object' && result !== null ? [offerOf(result)] : [],
  );
  return offers.sort(inOrderOfChoice)[0] ?? null;
}

function offerOf(result: { readonly price?: unknown }): Offer {
  const { price, promotions, name, sellerName, id, sellerId, seller } = result as Readonly<Record<string, unknown>>;
  const inner = typeof seller === 'object' && seller !== null ? (seller as Readonly<Record<string, unknown>>) : {};
  const named = [name, sellerName, inner['name'], seller, id, sellerId, inner['id']];
  const label = named.map((each) => readLabel(typeof each === 'number' ? String(each) : each)).find((each) => each);
  return { price, promotions, seller: label ?? null };
}

function inOrderOfChoice(one: Offer, other: Offer): number {
  return (
    Number(isOwn(other)) - Number(isOwn(one)) ||
    amountOf(one) - amountOf(other) ||
    (one.seller ?? '').localeCompare(other.seller ?? '', 'en')
  );
}

const isOwn = ({ seller }: Offer): boolean => seller !== null && ownName.test(seller);

function amountOf({ price }: Offer): number {
  const { price: listed, actual } = (typeof price === 'object' && price !== null ? price : { price }) as {
    price?: unknown;
    actual?: unknown;
  };
  return parseMoney(listed ?? actual) ?? Number.MAX_SAFE_INTEGER;
}
