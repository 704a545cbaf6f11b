import type { endpointsOf } from '../../src/source/endpoints/index.ts';
import { misreadingDetails, misreadingPages } from '../replay/mistaken.ts';

/** One state of the program's mapping: every one reads titles, prices, promotions and details in its own way. */
export interface ReadAs {
  readonly mark: number;
  /** Takes prices of which all of a page are whole pounds for pence. */
  readonly isOnPence: boolean;
}

export const asServed: ReadAs = { mark: 0, isOnPence: false };

const marked = <Text extends string | null>(text: Text, mark: number) =>
  (text === null || mark === 0 ? text : `${text} ${mark}`) as Text;

/** The mapping as `current` says, whenever something is read. */
export function readingAs(current: () => ReadAs): typeof endpointsOf {
  const pages = misreadingPages(({ records, rejected }) => {
    const { mark, isOnPence } = current();
    const isInPence = isOnPence && records.products.every(({ priceMinor }) => (priceMinor ?? 0) % 100 === 0);
    const products = records.products.map((product) => ({
      ...product,
      title: marked(product.title, mark),
      priceMinor:
        product.priceMinor === null ? null : (isInPence ? product.priceMinor / 100 : product.priceMinor) + mark,
      promotions: product.promotions.map(({ meaning, ...promotion }) => ({
        ...promotion,
        meaning: {
          ...meaning,
          loyaltyPriceMinor: meaning.loyaltyPriceMinor === null ? null : meaning.loyaltyPriceMinor + mark,
        },
      })),
    }));
    return { records: { ...records, products }, rejected };
  });
  return misreadingDetails((detail) => ({ ...detail, description: marked(detail.description, current().mark) }), pages);
}
