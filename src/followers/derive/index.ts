import { packTitleVersion } from '../../source/normalise/pack-title.ts';
import type { Derivation } from './derivation.ts';
import { nightlyFigures } from './nightly-figures.ts';
import { packChange } from './pack-change.ts';
import { packSize } from './pack-size.ts';
import { promotionStart } from './promotion-start.ts';
import { regionJevons } from './region-jevons.ts';
import { regionMatch } from './region-match.ts';
import { unitPriceMistake } from './unit-price-mistake.ts';

/** Everything that is derived, in the order in which one needs another. */
export const derivations: readonly Derivation[] = [
  nightlyFigures,
  packSize,
  unitPriceMistake,
  packChange,
  regionMatch,
  regionJevons,
  promotionStart,
];

/**
 * Raised with every change of what a derivation makes of a night: all nights are then derived again. Never lowered:
 * higher rules are taken for a newer program's.
 */
export const derivationRules = 12 + packTitleVersion;
