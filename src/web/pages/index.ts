import { contributions } from '../../questions/contributions.ts';
import { questions } from '../../questions/index.ts';
import { titleOf } from '../kernel/all-questions.tsx';
import { filters } from '../kernel/blocks.tsx';
import { namesOf, type Page, page } from '../kernel/page.ts';
import { table } from '../kernel/table.tsx';
import { comparePage } from './compare.tsx';
import { findPage } from './find.tsx';
import { homePage } from './home.tsx';
import { inflationPage } from './inflation.tsx';
import { moversPage } from './movers.tsx';
import { nightPage } from './night.tsx';
import { offersPage } from './offers.tsx';
import { operationsPage } from './operations.tsx';
import { productPage } from './product.tsx';
import { shortPages } from './short-pages.tsx';
import { shrinkflationPage } from './shrinkflation.tsx';
import { twoRegionsPage } from './two-regions.tsx';

/**
 * Pages that are more than the generic one. Of two pages of a question the first that is not `/` is the page of its
 * rows.
 */
export const ownPages: readonly Page[] = [
  homePage,
  findPage,
  productPage,
  comparePage,
  { ...inflationPage, isOf: [contributions] },
  moversPage,
  offersPage,
  shrinkflationPage,
  twoRegionsPage,
  operationsPage,
  nightPage,
  ...shortPages,
];

const others = questions.filter(({ name }) => !ownPages.some((page) => namesOf(page).includes(name)));

/**
 * All pages of the explorer, in the order of the navigation. A question has a page as soon as it is in the list of
 * questions; docs/contribute/adding.md says how to add blocks to it.
 */
export const pages: readonly Page[] = [
  ...ownPages,
  ...others.map((one) => page(one, { title: () => titleOf(one), blocks: [filters(), table()] })),
];
