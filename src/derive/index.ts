import type { Derivation } from './derivation.ts';
import { nightlyFigures } from './nightly-figures.ts';

/** Everything that is derived, in the order in which one needs another. */
export const derivations: readonly Derivation[] = [nightlyFigures];
