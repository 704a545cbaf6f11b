export const picturesFolder = 'docs/pictures';

/** A picture of a page of the explorer: `<name>.png`. */
export interface Picture {
  readonly name: string;
  /** The page's path. */
  readonly page: string;
  /** Parameters that depend on the data: result of a statement. */
  readonly address: string | ((ask: Ask) => Promise<string>);
  readonly height?: number;
}

type Ask = (statement: string) => Promise<Record<string, string>[]>;

/** Ids of the British products whose prices changed most often. */
async function liveliest(ask: Ask): Promise<string[]> {
  const rows = await ask(
    `select product_id from marts.fct_price_change
     where region = 'uk' group by 1 order by count(*) desc, 1 limit 5`,
  );
  return rows.map((row) => row['product_id']!);
}

/** One of each page that is written by hand, and one of a question that has none. */
export const pictures: readonly Picture[] = [
  {
    // Shown at the top of the README, so it needs data.
    name: 'explorer',
    page: '/product',
    height: 900,
    address: async (ask) => {
      const [most] = await ask(
        `select product_id from marts.fct_price_daily
         where region = 'uk' group by 1 having count(distinct loyalty_price) > 0
         order by count(distinct price) desc, count(distinct loyalty_price) desc, product_id limit 1`,
      );
      return `/product?region=uk&product=${most!['product_id']}`;
    },
  },
  { name: 'home', page: '/', address: '/', height: 800 },
  { name: 'find', page: '/find', address: '/find?words=milk&sort=cheapest-unit' },
  {
    name: 'compare',
    page: '/compare',
    height: 1_000,
    address: async (ask) => `/compare?items=${(await liveliest(ask)).join(':2,')}`,
  },
  { name: 'movers', page: '/movers', address: '/movers?region=uk&period=week', height: 900 },
  { name: 'promotions', page: '/promotions', address: '/promotions', height: 1_000 },
  { name: 'index', page: '/index', address: '/index', height: 1_100 },
  { name: 'shrinkflation', page: '/shrinkflation', address: '/shrinkflation?what=both' },
  { name: 'uk-ireland', page: '/uk-ireland', address: '/uk-ireland' },
  { name: 'operations', page: '/operations', address: '/operations', height: 1_000 },
  { name: 'night', page: '/night', address: '/night?region=uk' },
  { name: 'question', page: '/changes', address: '/changes' },
];
