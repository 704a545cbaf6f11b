import { z } from 'zod';
import { QuestionInvalid } from '../../base/errors.ts';
import { type ListedProduct, type Rejection, regions } from '../../base/model/index.ts';
import { productIdFrom } from '../normalise/product-id.ts';
import { readLabel } from '../normalise/text.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readPageList } from './elements.ts';
import { enveloped, readEnvelope } from './envelope.ts';
import { readListedProducts } from './listed-product.ts';
import { readPageInformation } from './page-information.ts';

/**
 * The first page of a search, best match first. There is no further page: the endpoint documents no way to ask for one.
 */
export interface SearchPage {
  readonly keyword: string;
  readonly declaredTotal: number | null;
  readonly itemsReceived: number;
  /** In order of rank, distinct. */
  readonly products: readonly ListedProduct[];
  readonly repeats: number;
  /**
   * Every place of the page that holds a product, those it shows twice too; of an element that could not be read the
   * rank is missing.
   */
  readonly ranks: readonly SearchRank[];
  /** Categories that the upstream proposes, in its order. */
  readonly popularFilters: readonly PopularFilter[];
}

interface SearchRank {
  /** From 1; null elements hold no place. */
  readonly rank: number;
  readonly productId: string;
  /** Null: nothing on the page is marked as paid for, or as not. */
  readonly sponsored: boolean | null;
}

interface PopularFilter {
  /** Usable as a category's id. */
  readonly categoryId: string | null;
  readonly name: string;
}

const name = 'uk-product-search';

/** `query` of 1 to 200 characters, from the vendor's document. */
export const longestKeyword = 200;

const Answer = enveloped(
  z.object({
    pageInformation: z.record(z.string(), z.unknown()).nullish(),
    popularFilters: z.unknown().optional(),
    products: z.array(z.unknown()),
  }),
);

/** What a UK search for a keyword shows. */
export const ukProductSearch = defineEndpoint<{ readonly keyword: string }, SearchPage>({
  name,
  listing: 'grocery',
  region: 'uk',
  paths: ['/product-search-by-keyword'],

  query({ keyword }) {
    if (keyword.trim() === '' || keyword.length > longestKeyword) {
      throw new QuestionInvalid(
        name,
        `a keyword has 1 to ${longestKeyword} characters, this one ${keyword.trim().length}`,
      );
    }
    return { query: keyword };
  },

  read(body, { keyword }) {
    const { data } = readEnvelope(name, Answer, body);
    const rejected: Rejection[] = [];
    const path = 'data.products';
    const list = readPageList(name, data.products, path);
    const { products, repeats } = readListedProducts(list, regions.uk, path, rejected);
    const { declaredTotal } = readPageInformation(data.pageInformation);
    const page = { keyword, declaredTotal, itemsReceived: data.products.length, products, repeats };
    const ranks = readRanks(list, new Set(products.map(({ productId }) => productId)));
    return { records: { ...page, ranks, popularFilters: readFilters(data.popularFilters) }, rejected };
  },
});

/** `adId` is the supermarket's own mark of a product that is shown for money (payloads of the listing, section 6.2). */
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

function readFilters(value: unknown): PopularFilter[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((filter: unknown): PopularFilter[] => {
    const { id, name } = (typeof filter === 'object' && filter !== null ? filter : {}) as Record<string, unknown>;
    const label = readLabel(name);
    return label === null ? [] : [{ categoryId: typeof id === 'string' && id !== '' ? id : null, name: label }];
  });
}
