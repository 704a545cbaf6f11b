import type { Derivation } from './derivation.ts';
import { promotionStart } from './promotion-start.ts';

/** Everything that is derived, in the order in which one needs another. */
export const derivations: readonly Derivation[] = [promotionStart];

/** Raised with every change of what a derivation makes of a night: all nights are then derived again. */
export const derivationRules = 2;
