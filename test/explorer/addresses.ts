import { book, type ExplorerBook } from './explorer-book.ts';

/**
 * Addresses at which each page is looked at, by its path; a page that is not here is looked at as it is without
 * parameters. More than one where a page has quite different views.
 */
export const addresses: Readonly<Record<string, (book: ExplorerBook) => Promise<readonly string[]>>> = {
  '/products': async () => [
    '/products',
    '/products?q=milk&availability=any&sort=cheapest-unit',
    '/products?category=1',
    '/products?moved=dearer&offer=promotion',
  ],
  '/product': async ({ ask }) => {
    const [most] = await ask<{ product_id: string }>(
      `select product_id from marts.fct_price_change c join marts.region_match m on m.uk_product_id = c.product_id
       where region = 'uk' group by 1 order by count(*) desc, 1 limit 1`,
    );
    return [`/product?id=${most!.product_id}&span=all`];
  },
  '/basket': async ({ ask }) => {
    const [pair] = await ask<{ uk: string; ie: string }>(
      'select uk_product_id as uk, ie_product_id as ie from marts.region_match order by 1 limit 1',
    );
    const [moved] = await ask<{ product_id: string }>(
      `select product_id from marts.fct_price_change where region = 'uk' group by 1 order by count(*) desc, 1 limit 1`,
    );
    return [
      `/basket?items=${pair!.uk}:2,${moved!.product_id}&name=Sunday&span=all&find=milk`,
      `/basket?p=ie:${pair!.ie}&region=ie`,
      '/basket',
    ];
  },
  '/compare': async ({ ask }) => {
    const [pair] = await ask<{ uk: string; ie: string }>(
      'select uk_product_id as uk, ie_product_id as ie from marts.region_match order by 1 limit 1',
    );
    const both = `/compare?p=uk:${pair!.uk}&p=ie:${pair!.ie}&span=all`;
    return ['/compare', both, `${both}&show=unit&find=milk`, `${both}&show=index`];
  },
  '/watch': async ({ ask }) => {
    const [product] = await ask<{ product_id: string }>(
      `select product_id from marts.product_now where region = 'uk' and price is not null order by 1 limit 1`,
    );
    return ['/watch?find=milk', `/watch?product=${product!.product_id}`];
  },
  '/uk-ireland': async () => ['/uk-ireland', '/uk-ireland?rate=0.8&region=ie&words=milk'],
  '/movers': async () => ['/movers?period=month', '/movers?region=ie&period=week&by=amount&direction=rises'],
  '/promotions': async () => [
    '/promotions?nights=31',
    '/promotions?verdict=too-early&sort=deepest&running=yes&category=1',
  ],
  '/': async () => ['/', '/?region=ie'],
  '/index': async () => ['/index', '/index?a=uk&b=ie&c=1&method=mean_price&basis=member&period=week&span=all'],
  '/nights': async () => ['/nights', '/nights?region=ie&certificate=missed'],
  '/night': async () => [`/night?date=${book.partialNight}`, '/night?region=ie'],
  '/shrinkflation': async () => ['/shrinkflation?what=both'],
  '/stores': async () => ['/stores?presence=both', '/stores?words=lee'],
};
