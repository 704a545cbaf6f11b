import { z } from 'zod';
import type { CategoryPage } from '../../base/model/index.ts';
import { type CategoryQuestion, categoryQuery, readCategoryPage, refuseNoList } from './category-page.ts';
import { defineEndpoint } from './define-endpoint.ts';
import { readPageList } from './elements.ts';
import { enveloped, readContract } from './envelope.ts';

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

  read(body, question) {
    refuseNoList(name, body, question);
    const { data } = readContract(name, Answer, body);
    const path = 'data.products';
    const list = readPageList(name, data.products, path);
    return readCategoryPage('uk', question, { list, path, pageInformation: data.pageInformation });
  },
});
