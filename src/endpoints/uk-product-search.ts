import { z } from 'zod';
import { QuestionInvalid } from '../errors.ts';
import { type ListedProduct, type Rejection, regions } from '../model/index.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readPageList } from './elements.ts';
import { enveloped, readEnvelope } from './envelope.ts';
import { readListedProducts } from './listed-product.ts';
import { readPageInformation } from './page-information.ts';

/** The first page of a search, best match first. There is no further page: the endpoint documents no way to ask for one. */
export interface SearchPage {
  readonly keyword: string;
  readonly declaredTotal: number | null;
  readonly itemsReceived: number;
  /** In order of rank, distinct. */
  readonly products: readonly ListedProduct[];
  readonly repeats: number;
}

const name = 'uk-product-search';

/** `query` of 1 to 200 characters, from the vendor's document. */
const longestKeyword = 200;

const Answer = enveloped(
  z.object({ pageInformation: z.record(z.string(), z.unknown()).nullish(), products: z.array(z.unknown()) }),
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
    return { records: { keyword, declaredTotal, itemsReceived: data.products.length, products, repeats }, rejected };
  },
});
