import { z } from 'zod';
import { defineCategoryPage } from './category-page.ts';
import { readPageList } from './elements.ts';
import { enveloped, readContract } from './envelope.ts';

const Answer = enveloped(
  z.object({ pageInformation: z.record(z.string(), z.unknown()).nullish(), products: z.array(z.unknown()) }),
);

/** One page of a UK category. */
export const ukCategoryPage = defineCategoryPage('uk', '/category-page', (name, body) => {
  const { products, pageInformation } = readContract(name, Answer, body).data;
  const path = 'data.products';
  return { list: readPageList(name, products, path), path, pageInformation };
});
