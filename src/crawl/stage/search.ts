import type { ListedProduct } from '../../base/model/index.ts';
import type { SearchPage } from '../../source/endpoints/index.ts';
import { entryHash, promotionHash } from './entry-hash.ts';

/** The first page of a search as it is saved. */
export interface ShownSearch extends Pick<SearchPage, 'ranks'> {
  readonly products: readonly (Pick<ListedProduct, 'productId' | 'title' | 'brand' | 'isForSale' | 'priceMinor'> & {
    /** Compares the product with the catalogue. */
    readonly entryHash: string;
  })[];
}

export function shownForm({ products, ranks }: SearchPage): ShownSearch {
  return {
    ranks,
    products: products.map((product) => {
      const { productId, title, brand, isForSale, priceMinor } = product;
      const promotionHashes = [...new Set(product.promotions.map(promotionHash))].sort();
      const hash = entryHash(product, promotionHashes);
      return { productId, title, brand, isForSale, priceMinor, entryHash: hash };
    }),
  };
}
