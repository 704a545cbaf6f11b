import { packTitleVersion } from '../../source/normalise/pack-title.ts';
import type { Derivation } from './derivation.ts';
import { nightlyFigures } from './nightly-figures.ts';
import { packChange } from './pack-change.ts';
import { packSize } from './pack-size.ts';
import { promotionStart } from './promotion-start.ts';
import { regionJevons } from './region-jevons.ts';
import { regionMatch } from './region-match.ts';
import { unitPriceMistake } from './unit-price-mistake.ts';

/** All derivations in the order of their dependencies. */
export const derivations: readonly Derivation[] = [
  packSize,
  unitPriceMistake,
  packChange,
  nightlyFigures,
  regionMatch,
  regionJevons,
  promotionStart,
];

/**
 * Increased with every change of a derivation's results; all nights are then derived again. Never decreased: higher
 * numbers belong to newer versions of the program.
 */
export const derivationRules = 19 + packTitleVersion;
