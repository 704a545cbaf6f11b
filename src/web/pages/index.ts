import type { Page } from '../page.ts';
import { basket } from './basket.tsx';
import { compare } from './compare.tsx';
import { home } from './home.tsx';
import { jobs } from './jobs.tsx';
import { listings } from './listings.tsx';
import { movers } from './movers.tsx';
import { night } from './night.tsx';
import { nights } from './nights.tsx';
import { operations } from './operations.tsx';
import { priceIndex } from './price-index.tsx';
import { product } from './product.tsx';
import { products } from './products.tsx';
import { promotions } from './promotions.tsx';
import { searchRanks } from './search-ranks.tsx';
import { shrinkflation } from './shrinkflation.tsx';
import { stores } from './stores.tsx';
import { twoRegions } from './two-regions.tsx';
import { watch } from './watch.tsx';

/**
 * All pages of the explorer, in the order of the navigation.
 *
 * To add a page, create a file here with `export const movers = definePage({ … })` and add it to this list. Fields:
 *
 *   path        '/movers'; paths are constant, everything variable is a parameter
 *   nav         name in the navigation; optional if other pages link to the page
 *   about       one sentence: the question that the page answers
 *   parameters  zod types by name, each optional or with a default (see ../parameters.ts); invalid values give 400
 *   queries     parameters => { name: { caption, sql: sql`…`, columns } as Query<Row> }; reads marts only, inserts
 *               values with ${…}, joins conditions with allOf(…), limits every statement that can grow.
 *               `<path>.csv` contains the first query.
 *   empty       text shown if there is no data at all
 *   view        JSX from tables, parameters, hrefWith({ page: 2 }) and the moment. <DataTable of={tables.name} />
 *               shows a table with its CSV and SQL; ../charts has charts. Put a chart above its table (isFolded).
 *
 * Every page also gets `<path>.csv?table=name`, `/api/v1<path>`, its SQL, title, freshness and error pages. The tests
 * in test/explorer/every-page.test.ts and every-page.browser.test.ts run for all pages; test the content of a page in
 * test/explorer/pages/<name>.test.ts.
 */
export const pages: readonly Page[] = [
  home,
  products,
  product,
  compare,
  basket,
  priceIndex,
  movers,
  promotions,
  shrinkflation,
  twoRegions,
  watch,
  operations,
  nights,
  night,
  listings,
  jobs,
  stores,
  searchRanks,
];
