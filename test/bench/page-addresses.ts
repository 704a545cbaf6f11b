import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { daysAfter } from './night-clock.ts';
import { historyBegins, lastNight } from './three-years.ts';

/** Usual addresses of every page of the explorer: without filters, and with each usual filter and order. */
export async function pageAddresses(db: Database): Promise<readonly string[]> {
  const one = async (statement: string) => encodeURIComponent((await rowsOf<{ id: string }>(db, statement))[0]!.id);
  const categories = "select category_id as id from marts.dim_category where region = 'uk'";
  const category = `category=${await one(`${categories} and depth = 0 order by path limit 1`)}`;
  const shelf = `category=${await one(`${categories} order by depth desc, path limit 1`)}`;
  const products = await rowsOf<{ id: string }>(
    db,
    `select product_id as id from marts.product_now
     where region = 'uk' and product_key % 60000 = 777
     order by product_key`,
  );
  const ids = products.map(({ id }) => id);
  const monthAgo = daysAfter(lastNight, -30);
  return [
    ...['/', '/?region=ie', '/operations', '/searches', '/night?region=uk', '/requests'],
    ...['/stores', '/stores?words=leeds'],
    ...under('/find', [
      ...['', 'page=20', 'words=semi+skim', 'words=milk&sort=cheapest-unit', `words=${ids[0]}`],
      ...['newest', 'title', 'cheapest', 'dearest', 'cheapest-unit'].map((sort) => `sort=${sort}`),
      ...['sort=cheapest&page=20', 'sort=title&page=20', 'region=ie&sort=cheapest', 'region=ie&sort=title'],
      ...['offer=promotion&sort=dearest', 'offer=loyalty&sort=cheapest', 'availability=unavailable&sort=title'],
      ...['availability=gone&sort=cheapest', 'price_from=5&price_to=6&sort=title', 'price_from=1&sort=cheapest'],
      ...['unit=kg&sort=cheapest-unit', 'unit=litre&unit_price_from=1&sort=cheapest-unit', category],
      ...[`${category}&sort=cheapest`, `${category}&offer=promotion&sort=title`, `${shelf}&sort=cheapest-unit`],
    ]),
    ...ids.flatMap((id) => under('/product', [`product=${id}`, `product=${id}&since=${monthAgo}`])),
    ...under('/compare', [`items=${ids.join(':2,')}`, `items=${ids.join(',')}&words=milk`, '']),
    ...under(
      '/movers',
      ['night', 'week', 'month'].flatMap((period) =>
        [
          ...['', 'direction=rises', category, shelf, 'words=milk', 'price_from=5', 'page=3', 'region=ie'],
          ...[`until=${monthAgo}`, `until=${historyBegins.middle}`],
        ].map((filter) => `period=${period}&${filter}`.replace(/&$/, '')),
      ),
    ),
    ...under('/promotions', [
      ...['', `since=${monthAgo}&page=2`, 'verdict=not-real', 'running=yes&sort=deepest', category, 'region=ie'],
    ]),
    ...under('/index', [
      ...['', 'period=week', 'region=uk&basis=member'],
      `${category}&also=${shelf.replace('category=', '')}&basis=member&period=month`,
    ]),
    ...under('/operations', ['region=ie&page=2', 'kind=certified', 'kind=missed']),
    ...under('/shrinkflation', ['', 'what=both', category, 'words=milk', 'sort=newest&region=ie']),
    ...under('/uk-ireland', [
      ...['', 'sort=dearer-uk', 'page=5', category, `date=${monthAgo}`, `date=${historyBegins.middle}`, 'words=milk'],
    ]),
  ];
}

const under = (path: string, queries: readonly string[]): string[] =>
  queries.map((query) => (query === '' ? path : `${path}?${query}`));
