import type { FaultRule } from '../../src/simulator/index.ts';
import { createChance } from '../chaos/chance.ts';
import { contentFault, passingFaults, untrueFault } from '../chaos/upstream-faults.ts';

/** What befalls a connection or the queue of a process that goes on living. */
export type Harm = 'cut upstream' | 'refuse upstream' | 'cut database' | 'refuse database' | 'lose queue';

/** Classes of faults that are on in a night; none: it is calm. */
export type FaultClass = 'passing' | 'content' | 'untrue' | 'connections';

export interface SoakNight {
  readonly classes: readonly FaultClass[];
  readonly faults: readonly FaultRule[];
  /** Each at its share of the requests of the night before. */
  readonly harms: readonly { readonly what: Harm; readonly at: number; readonly forMs: number }[];
  /** Calm, and held against the truth when it is published. */
  readonly isVerified: boolean;
}

const harms: readonly Harm[] = ['cut upstream', 'refuse upstream', 'cut database', 'refuse database', 'lose queue'];

/** Nights go by in stretches of so many, each with its own classes of faults switched on. */
export const stretch = 10;

/**
 * The night of a seed: the same for ever. Each class of faults is on in some stretches of nights and off in others;
 * where it is on it strikes in some nights. The first night is calm, and every one that is held against the truth.
 */
export function drawNight(seed: number, night: number, verifyEvery: number): SoakNight {
  const isVerified = (night + 1) % verifyEvery === 0;
  const calm = { classes: [], faults: [], harms: [], isVerified };
  if (night === 0 || isVerified) return calm;
  const on = classesOn(seed, Math.floor(night / stretch));
  const chance = createChance(seed * 1_000_003 + night);
  const strikes = (one: FaultClass, probability: number) => chance.happens(probability) && on.has(one);
  const classes: FaultClass[] = [];
  const faults: FaultRule[] = [];
  if (strikes('passing', 0.4)) {
    classes.push('passing');
    faults.push(...passingFaults(chance));
  }
  // At most one of them: what either does to a night is judged by itself.
  if (strikes('content', 0.2)) {
    classes.push('content');
    faults.push(contentFault(chance));
  } else if (strikes('untrue', 0.1)) {
    classes.push('untrue');
    faults.push(untrueFault(chance));
  }
  if (!strikes('connections', 0.3)) return { ...calm, classes, faults };
  const struck = Array.from({ length: chance.whole(1, 2) }, () => ({
    what: chance.pick(harms),
    at: chance.number(),
    forMs: chance.whole(50, 400),
  }));
  return { ...calm, classes: [...classes, 'connections'], faults, harms: struck };
}

/** Each class is on in two stretches of three. */
function classesOn(seed: number, at: number): ReadonlySet<FaultClass> {
  const chance = createChance(seed * 7_919 + at);
  const all: readonly FaultClass[] = ['passing', 'content', 'untrue', 'connections'];
  return new Set(all.filter(() => chance.happens(2 / 3)));
}
