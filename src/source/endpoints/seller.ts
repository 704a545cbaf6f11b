import { parseMoney } from '../normalise/money.ts';
import { readLabel } from '../normalise/text.ts';

/** One seller's offer of a product. */
export interface Offer {
  /** Undefined: the price stands elsewhere. */
  readonly price: unknown;
  readonly promotions: unknown;
  /** As the payload names the seller; null: it does not. */
  readonly seller: string | null;
}

/** How the supermarket is named among sellers; others sell on its marketplace. */
const ownName = /^tesco\b/i;

/**
 * The offer that counts among `sellers.results`, whatever their order: the supermarket's own, else the cheapest with a
 * price, else the first by name. Null: the payload lists no offers.
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
