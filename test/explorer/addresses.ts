import type { ExplorerBook } from './explorer-book.ts';

type Ask = ExplorerBook['ask'];

/** A British product that is sold in Ireland, too, and whose price changed most often. */
export async function liveliest(ask: Ask): Promise<string> {
  const [most] = await ask<{ product_id: string }>(
    `select product_id from marts.fct_price_change c join marts.region_match m on m.uk_product_id = c.product_id
     where region = 'uk' group by 1 order by count(*) desc, 1 limit 1`,
  );
  return most!.product_id;
}

/** Ids of departments of both regions. */
async function departments(ask: Ask): Promise<string[]> {
  const rows = await ask<{ category_id: string }>(
    `select category_id from marts.dim_category where depth = 0 and gone_at is null
     group by 1 having count(*) = 2 order by 1 limit 3`,
  );
  return rows.map(({ category_id }) => category_id);
}

/**
 * Addresses at which each page is looked at, by its path; a page that is not here is looked at as it is without
 * parameters. More than one where a page has quite different views.
 */
export const addresses: Readonly<Record<string, (book: ExplorerBook) => Promise<readonly string[]>>> = {
  '/': async () => ['/', '/?region=ie'],
  '/find': async ({ ask }) => [
    '/find',
    '/find?words=milk&availability=any&sort=cheapest-unit',
    `/find?category=${(await departments(ask))[0]}&region=ie`,
    '/find?moved=dearer&offer=promotion',
  ],
  '/product': async ({ ask }) => [`/product?product=${await liveliest(ask)}`],
  '/compare': async ({ ask }) => {
    const [pair] = await ask<{ uk: string; ie: string }>(
      'select uk_product_id as uk, ie_product_id as ie from marts.region_match order by 1 limit 1',
    );
    return ['/compare', `/compare?items=${pair!.uk}:2,${await liveliest(ask)}`, `/compare?items=${pair!.ie}&region=ie`];
  },
  '/index': async ({ ask }) => {
    const [chosen, ...also] = await departments(ask);
    return ['/index', `/index?category=${chosen}&also=${also.join('|')}&basis=member&period=week`];
  },
  '/movers': async () => ['/movers?period=month', '/movers?region=ie&period=week&direction=rises'],
  '/promotions': async ({ ask }) => [
    '/promotions',
    `/promotions?verdict=too-early&sort=deepest&running=yes&category=${(await departments(ask))[0]}`,
  ],
  '/shrinkflation': async () => ['/shrinkflation', '/shrinkflation?what=shrank&sort=size'],
  '/uk-ireland': async () => ['/uk-ireland', '/uk-ireland?words=milk'],
  '/operations': async () => ['/operations', '/operations?region=ie&kind=missed'],
  '/night': async () => ['/night?region=uk', '/night?region=ie'],
  '/asof': async () => ['/asof?region=uk'],
  '/basket': async ({ ask }) => [`/basket?items=${await liveliest(ask)}:2`],
  '/basket-swaps': async ({ ask }) => [`/basket-swaps?items=${await liveliest(ask)}:2`],
  '/watch': async ({ ask }) => [`/watch?products=${await liveliest(ask)}`],
  '/unit-price-rank': async ({ ask }) => [`/unit-price-rank?product=${await liveliest(ask)}`],
};
