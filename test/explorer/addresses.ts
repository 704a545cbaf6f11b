import type { ExplorerBook } from './explorer-book.ts';

/**
 * Addresses at which each page is looked at, by its path; a page that is not here is looked at as it is without parameters. More than
 * one where a page has quite different views.
 */
export const addresses: Readonly<Record<string, (book: ExplorerBook) => Promise<readonly string[]>>> = {
  '/products': async () => [
    '/products',
    '/products?q=milk&availability=any&sort=cheapest-unit',
    '/products?category=1',
  ],
  '/product': async (book) => {
    const [most] = await book.ask<{ product_id: string }>(
      `select product_id from marts.fct_price_change c join marts.region_match m on m.uk_product_id = c.product_id
       where region = 'uk' group by 1 order by count(*) desc, 1 limit 1`,
    );
    return [`/product?id=${most!.product_id}&span=all`];
  },
};
