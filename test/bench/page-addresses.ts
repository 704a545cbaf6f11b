import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { daysAfter } from './night-clock.ts';
import { historyBegins, lastNight } from './three-years.ts';

export interface PageAddresses {
  readonly page: string;
  readonly addresses: readonly string[];
}

/** Usual addresses of every page of the explorer: without filters, and with each usual filter and order. */
export async function pageAddresses(db: Database): Promise<readonly PageAddresses[]> {
  const [department] = await rowsOf<{ key: number; name: string }>(
    db,
    `select category_key as key, name from marts.dim_category where region = 'uk' and depth = 0 order by path limit 1`,
  );
  const [deep] = await rowsOf<{ key: number }>(
    db,
    `select category_key as key from marts.dim_category where region = 'uk' order by depth desc, path limit 1`,
  );
  const ids = (
    await rowsOf<{ id: string }>(
      db,
      `select product_id as id
       from marts.product_now
       where region = 'uk' and product_key % 60000 = 777
       order by product_key`,
    )
  ).map(({ id }) => id);
  const category = `category=${department!.key}`;
  const shelf = `category=${deep!.key}`;
  const monthAgo = daysAfter(lastNight, -30);
  return [
    { page: 'Home', addresses: ['/', '/?region=ie'] },
    { page: 'Operations', addresses: ['/operations'] },
    {
      page: 'Products',
      addresses: under('/products', [
        '',
        'page=20',
        'q=semi+skim',
        'q=milk&sort=cheapest-unit',
        `q=${ids[0]}`,
        ...['newest', 'title', 'cheapest', 'dearest', 'cheapest-unit', 'dearest-unit'].map((sort) => `sort=${sort}`),
        'sort=cheapest&page=20',
        'sort=title&page=20',
        'region=ie&sort=cheapest',
        'region=ie&sort=title',
        'offer=promotion&sort=dearest',
        'offer=loyalty&sort=cheapest',
        'availability=unavailable&sort=title',
        'availability=gone&sort=cheapest',
        'price_from=5&price_to=6&sort=title',
        'price_from=1&sort=cheapest',
        'unit=kg&sort=cheapest-unit',
        'unit=litre&unit_price_from=1&sort=cheapest-unit',
        category,
        `${category}&sort=cheapest`,
        `${category}&offer=promotion&sort=title`,
        `${shelf}&sort=cheapest-unit`,
      ]),
    },
    {
      page: 'Product',
      addresses: ids.flatMap((id) => under('/product', [`id=${id}`, `id=${id}&span=quarter`, `id=${id}&span=all`])),
    },
    {
      page: 'Compare',
      addresses: under(
        '/compare',
        ['', '&show=index&span=all', '&find=milk'].map((more) => `p=${ids.map((id) => `uk:${id}`).join(',')}${more}`),
      ),
    },
    { page: 'Basket', addresses: under('/basket', [`items=${ids.join(':2,')}`, `items=${ids.join(',')}&span=all`]) },
    {
      page: 'Movers',
      addresses: under('/movers', [
        ...['night', 'week', 'month'].flatMap((period) =>
          [
            '',
            'direction=rises',
            'by=amount',
            category,
            shelf,
            'words=milk',
            'price_from=5',
            'page=3',
            'region=ie',
            `until=${monthAgo}`,
            `until=${historyBegins.middle}`,
          ].map((filter) => `period=${period}&${filter}`.replace(/&$/, '')),
        ),
      ]),
    },
    {
      page: 'Promotions',
      addresses: under('/promotions', [
        '',
        'nights=31',
        'nights=92&page=2',
        'verdict=not-real',
        'running=yes&sort=deepest',
        category,
        'region=ie',
      ]),
    },
    {
      page: 'Index',
      addresses: under('/index', [
        '',
        'span=year',
        'span=all&period=week',
        'a=uk&b=ie&method=mean_price&span=year',
        `a=uk&b=${department!.key}&c=${deep!.key}&method=jevons_chained&basis=member&period=month&span=all`,
      ]),
    },
    {
      page: 'Nights',
      addresses: under('/nights', ['', 'region=ie&page=2', 'certificate=certified', 'certificate=missed']),
    },
    // Of the book's nights only the last one of the uk has a certificate.
    { page: 'Night', addresses: under('/night', ['', 'region=uk']) },
    { page: 'Listings', addresses: under('/requests', ['', 'days=366']) },
    {
      page: 'Shrinkflation',
      addresses: under('/shrinkflation', ['', 'what=both', category, 'words=milk', 'sort=newest&region=ie']),
    },
    {
      page: 'UK and Ireland',
      addresses: under('/uk-ireland', [
        '',
        'sort=dearer-uk',
        'sort=newest',
        'page=5',
        `department=${encodeURIComponent(department!.name)}`,
        `department=${encodeURIComponent(department!.name)}&sort=newest`,
        `date=${monthAgo}`,
        `date=${historyBegins.middle}`,
        'words=milk',
        `words=chocolate&date=${historyBegins.middle}`,
      ]),
    },
    { page: 'Stores', addresses: under('/stores', ['', 'words=leeds']) },
    { page: 'Search', addresses: ['/searches'] },
  ];
}

const under = (path: string, queries: readonly string[]): string[] =>
  queries.map((query) => (query === '' ? path : `${path}?${query}`));
