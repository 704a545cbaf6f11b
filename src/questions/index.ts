import { asof } from './asof.ts';
import { basket } from './basket.ts';
import { basketSwaps } from './basket-swaps.ts';
import { changes } from './changes.ts';
import { compare } from './compare.ts';
import { contributions } from './contributions.ts';
import { find } from './find.ts';
import { movers } from './movers.ts';
import { nights } from './nights.ts';
import { packChanges } from './pack-changes.ts';
import { priceIndex } from './price-index.ts';
import { prices } from './prices.ts';
import { privateLabel } from './private-label.ts';
import { promotionDepth } from './promotion-depth.ts';
import { promotions } from './promotions.ts';
import { quarantine } from './quarantine.ts';
import type { Question } from './question.ts';
import { requests } from './requests.ts';
import { searches } from './searches.ts';
import { stores } from './stores.ts';
import { unitPriceRank } from './unit-price-rank.ts';
import { watch } from './watch.ts';

/** All questions, in the order of `pricebook --help`. */
export const questions: readonly Question[] = [
  asof,
  find,
  prices,
  changes,
  packChanges,
  watch,
  promotions,
  movers,
  priceIndex,
  contributions,
  promotionDepth,
  unitPriceRank,
  privateLabel,
  compare,
  basket,
  basketSwaps,
  nights,
  quarantine,
  requests,
  searches,
  stores,
];

export const questionNamed = (name: string): Question | undefined =>
  questions.find((question) => question.name === name);
