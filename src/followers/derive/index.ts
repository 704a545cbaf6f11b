import type { Derivation } from './derivation.ts';
import { nightlyFigures } from './nightly-figures.ts';
import { sqlDerivation } from './sql-derivation.ts';

/** All derivations in the order of their dependencies. */
export const derivations: readonly Derivation[] = [
  sqlDerivation('pack-change'),
  nightlyFigures,
  sqlDerivation('price-move'),
  sqlDerivation('region-match'),
  sqlDerivation('promotion-start'),
];

/**
 * Increased with every change of a derivation's results; all nights are then derived again. Never decreased: higher
 * numbers belong to newer versions of the program.
 */
export const derivationRules = 32;
