import { z } from 'zod';
import { type CategoryPage, type Rejection, regions } from '../../base/model/index.ts';
import { withoutAdvertisements } from './advertisements.ts';
import { type CategoryQuestion, categoryQuery } from './category-question.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readPageList } from './elements.ts';
import { enveloped, readEnvelope } from './envelope.ts';
import { readListedProducts } from './listed-product.ts';
import { readPageInformation } from './page-information.ts';

const name = 'uk-category-page';

const Answer = enveloped(
  z.object({ pageInformation: z.record(z.string(), z.unknown()).nullish(), products: z.array(z.unknown()) }),
);

/** One page of a UK category at any level. */
export const ukCategoryPage = defineEndpoint<CategoryQuestion, CategoryPage>({
  name,
  listing: 'grocery',
  region: 'uk',
  paths: ['/category-page'],
  query: (question) => categoryQuery(name, 'uk', question),

  read(body, { categoryId, pageNo }) {
    const { data } = readEnvelope(name, Answer, body);
    const rejected: Rejection[] = [];
    const path = 'data.products';
    const list = readPageList(name, data.products, path);
    const page = readPageInformation(data.pageInformation);
    const listed = withoutAdvertisements(list, { categoryId, pageNo }, page);
    const { products, repeats } = readListedProducts(listed, regions.uk, path, rejected);
    return {
      records: {
        categoryId,
        pageNo,
        ...page,
        itemsReceived: data.products.length,
        nullNodes: data.products.filter((element) => element === null).length,
        products,
        repeats,
      },
      rejected,
    };
  },
});
