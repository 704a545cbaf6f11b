import { z } from 'zod';
import { RequestFailed } from '../../base/errors.ts';
import { type ListedProduct, type Rejection, regions } from '../../base/model/index.ts';
import { productIdFrom } from '../normalise/product-id.ts';
import { readLabel } from '../normalise/text.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readPageList } from './elements.ts';
import { enveloped, readContract } from './envelope.ts';
import { readListedProducts } from './listed-product.ts';
import { readPageInformation } from './page-information.ts';

/** First page of a search, best match first. The endpoint documents no further pages. */
export interface SearchPage {
  readonly declaredTotal: number | null;
  readonly itemsReceived: number;
  /** Distinct products in order of rank. */
  readonly products: readonly ListedProduct[];
  /** All ranks with a product, including repeats; ranks of unreadable elements are missing. */
  readonly ranks: readonly SearchRank[];
  /** Names of suggested categories in the order received. */
  readonly popularFilters: readonly string[];
}

interface SearchRank {
  /** Starts at 1; null elements have no rank. */
  readonly rank: number;
  readonly productId: string;
  /** Null: the page marks no element as sponsored or not. */
  readonly sponsored: boolean | null;
}

const name = 'uk-product-search';

/** Length limit of `query` in the vendor's document. */
export const longestKeyword = 200;

const Answer = enveloped(
  z.object({
    pageInformation: z.record(z.string(), z.unknown()).nullish(),
    popularFilters: z.unknown().optional(),
    products: z.array(z.unknown()),
  }),
);

/** First page of a UK search for a keyword. */
export const ukProductSearch = defineEndpoint<{ readonly keyword: string }, SearchPage>({
  name,
  listing: 'grocery',
  region: 'uk',
  paths: ['/product-search-by-keyword'],

  query({ keyword }) {
    if (keyword.trim() === '' || keyword.length > longestKeyword) {
      throw new RequestFailed('refused', {
        where: name,
        what: `a keyword must have 1 to ${longestKeyword} characters, this one has ${keyword.trim().length}`,
      });
    }
    return { query: keyword };
  },

  read(body) {
    const { data } = readContract(name, Answer, body);
    const rejected: Rejection[] = [];
    const path = 'data.products';
    const list = readPageList(name, data.products, path);
    const products = readListedProducts(list, regions.uk, path, rejected);
    const { declaredTotal } = readPageInformation(data.pageInformation);
    const page = { declaredTotal, itemsReceived: data.products.length, products };
    const ranks = readRanks(list, new Set(products.map(({ productId }) => productId)));
    return { records: { ...page, ranks, popularFilters: readFilters(data.popularFilters) }, rejected };
  },
});

/** `adId` marks a paid placement (payloads of the listing, section 6.2). */
function readRanks(list: readonly unknown[], known: ReadonlySet<string>): SearchRank[] {
  const elements = list.filter(
    (element): element is Record<string, unknown> => typeof element === 'object' && element !== null,
  );
  const isMarked = elements.some((element) => 'adId' in element);
  return elements.flatMap((element, index) => {
    const productId = productIdFrom(element['id'] ?? element['tpnc']);
    if (productId === null || !known.has(productId)) return [];
    return [{ rank: index + 1, productId, sponsored: isMarked ? Boolean(element['adId']) : null }];
  });
}

function readFilters(value: unknown): string[] {
  return (Array.isArray(value) ? value : [])
    .map((filter: { readonly name?: unknown } | null) => readLabel(filter?.name))
    .filter((name) => name !== null);
}
