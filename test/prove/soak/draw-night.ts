import type { FaultRule } from '../../../src/simulator/index.ts';
import { type Chance, createChance } from '../../support/chance.ts';
import type { Link, Mishap } from '../mishaps.ts';
import { contentFault, passingFaults, untrueFault } from '../upstream-faults.ts';

/** Classes of faults that are active in a night; none: a calm night. */
export type FaultClass = 'passing' | 'content' | 'untrue' | 'connections';

export interface SoakNight {
  readonly classes: readonly FaultClass[];
  readonly faults: readonly FaultRule[];
  /** Faults of connections and the queue of a long-running process. */
  readonly mishaps: readonly Mishap[];
  /** Whether the night is calm and compared with the truth. */
  readonly isVerified: boolean;
}

/** Number of nights for which a set of fault classes stays active. */
const stretch = 10;

/**
 * The night of a seed: the same for ever. Each class of faults is on in some stretches of nights and off in others;
 * where it is on it strikes in some nights. The first night is calm, and every one that is held against the truth.
 */
export function drawNight(seed: number, night: number, verifyEvery: number): SoakNight {
  const isVerified = (night + 1) % verifyEvery === 0;
  const calm = { classes: [], faults: [], mishaps: [], isVerified };
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
  const mishaps = Array.from({ length: chance.whole(1, 2) }, () => mishapOf(chance));
  return { ...calm, classes: [...classes, 'connections'], faults, mishaps };
}

function mishapOf(chance: Chance): Mishap {
  const moment = { at: chance.number(), afterMs: 0 };
  const link = chance.pick<Link>(['upstream', 'database']);
  return chance.pick<Mishap>([
    { kind: 'cut', link, ...moment },
    { kind: 'refuse', link, ...moment, forMs: chance.whole(50, 400) },
    { kind: 'lose queue', ...moment },
  ]);
}

/** Each class is on in two stretches of three. */
function classesOn(seed: number, at: number): ReadonlySet<FaultClass> {
  const chance = createChance(seed * 7_919 + at);
  const all: readonly FaultClass[] = ['passing', 'content', 'untrue', 'connections'];
  return new Set(all.filter(() => chance.happens(2 / 3)));
}
