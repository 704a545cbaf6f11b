import type { Page } from '../page.ts';
import { listings } from './listings.tsx';
import { movers } from './movers.tsx';
import { night } from './night.tsx';
import { nights } from './nights.tsx';
import { overview } from './overview.tsx';
import { priceIndex } from './price-index.tsx';
import { product } from './product.tsx';
import { products } from './products.tsx';
import { promotions } from './promotions.tsx';
import { searchRanks } from './search-ranks.tsx';
import { shrinkflation } from './shrinkflation.tsx';
import { stores } from './stores.tsx';
import { twoRegions } from './two-regions.tsx';

/**
 * Every page of the explorer, in the order of the navigation.
 *
 * To add one: a file here named for the page, with `export const movers = definePage({ … })`, and its line in this
 * list. Its definition is
 *
 *   path        '/movers'; there are no parts of a path that vary: what varies is a parameter, so that the address says it all
 *   nav         its name in the navigation; left out, other pages lead to it (product)
 *   about       one line: the question it answers
 *   parameters  zod types by name, each with a default or optional (see ../parameters.ts); a value they refuse is a page with one line, 400
 *   queries     parameters => { name: { caption, sql: sql`…`, columns } as Query<Row> }: marts alone, values put in with ${…}, conditions
 *               joined with allOf(…); a limit in every statement that can grow; the first is what `<path>.csv` gives
 *   empty       a sentence where there is nothing to show at all
 *   view        JSX from tables, parameters, hrefWith({ page: 2 }) and the moment; <DataTable of={tables.name} /> draws a table with its
 *               CSV and SQL, ../charts has what is drawn. A chart stands beside the table of its numbers (isFolded).
 *
 * From that follow, for every page: `<path>.csv?table=name`, `/api/v1<path>`, the SQL at its foot, title, freshness,
 * the page of an error, and the tests of test/explorer/every-page.test.ts (in a browser: every-page.browser.test.ts),
 * which play one book for all pages. What a page says is tested beside it, in test/explorer/pages/<name>.test.ts,
 * against the same marts.
 */
export const pages: readonly Page[] = [
  overview,
  products,
  product,
  movers,
  promotions,
  priceIndex,
  nights,
  night,
  listings,
  shrinkflation,
  twoRegions,
  stores,
  searchRanks,
];
