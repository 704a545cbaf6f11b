import type { Chance } from '../../support/chance.ts';
import type { Link, Mishap } from '../mishaps.ts';
import { contentFault, passingFaults, untrueFault } from '../upstream-faults.ts';
import { type Catalogue, repeating } from './catalogues.ts';
import { calmNight as calm, type NightPlan, type Schedule } from './schedule.ts';

/** Schedules of one kind. */
export interface Family {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  draw(
    chance: Chance,
    catalogue: Catalogue,
  ): Partial<Schedule> & Pick<Schedule, 'nights' | 'isUndisturbedInTheEnd' | 'isTruthful'>;
}

const unharmed = { isUndisturbedInTheEnd: true, isTruthful: true };
const moved = { ...unharmed, isUndisturbedInTheEnd: false };
const anyQueue = ['postgres', 'redis'] as const;

/** One night with mishaps, and a calm one before it or after it. */
function disturbed(chance: Chance, night: Partial<NightPlan>, queues: readonly Schedule['queue'][] = ['postgres']) {
  const plan = { ...calm, ...night };
  const nights = chance.happens(0.5) ? [plan, calm] : [calm, plan];
  return { nights, ...unharmed, queue: chance.pick(queues) };
}

function times<Item>(count: number, make: () => Item): Item[] {
  return Array.from({ length: count }, make);
}

/** Any moment, the last third of a second of the night a little more often: there the night is published. */
function anyMoment(chance: Chance): Pick<Mishap, 'at' | 'afterMs'> {
  return chance.happens(0.35)
    ? { at: 1, afterMs: chance.whole(0, 350) }
    : { at: chance.number(), afterMs: chance.whole(0, 60) };
}

const link = (chance: Chance): Link => chance.pick(['upstream', 'database']);

export const families: readonly Family[] = [
  {
    name: 'crawl killed',
    weight: 16,
    draw: (chance) => {
      const kills = times(chance.whole(1, 2), () => ({ kind: 'kill crawl' as const, ...anyMoment(chance) }));
      return disturbed(chance, { mishaps: kills }, anyQueue);
    },
  },
  {
    name: 'everything killed',
    weight: 8,
    draw: (chance) => {
      const at = 0.2 + chance.number() * 0.7;
      const kill = { kind: 'kill everything', at, afterMs: chance.whole(0, 60) } as const;
      return disturbed(chance, { mishaps: [kill], workers: chance.whole(0, 1) }, anyQueue);
    },
  },
  {
    name: 'worker killed',
    weight: 6,
    draw: (chance) =>
      disturbed(chance, { mishaps: [{ kind: 'kill work', ...anyMoment(chance) }], workers: 1 }, anyQueue),
  },
  {
    name: 'asked to end',
    weight: 6,
    draw: (chance) => disturbed(chance, { mishaps: [{ kind: 'end crawl', ...anyMoment(chance) }] }),
  },
  {
    name: 'stopped and woken',
    weight: 3,
    draw: (chance) => {
      // Longer than a worker counts as alive (8 s) and a job's lock lasts (5 s).
      const stop = { kind: 'stop crawl', at: 0.2 + chance.number() * 0.6, afterMs: 0, forMs: 9_500 } as const;
      return disturbed(chance, { mishaps: [stop], workers: 1 });
    },
  },
  {
    name: 'queue lost',
    weight: 9,
    draw: (chance) => {
      const losses = times(chance.whole(1, 2), () => ({ kind: 'lose queue' as const, ...anyMoment(chance) }));
      return disturbed(chance, { mishaps: losses }, anyQueue);
    },
  },
  {
    name: 'redis killed',
    weight: 6,
    draw: (chance) => {
      const kill = () => ({ kind: 'kill redis' as const, ...anyMoment(chance), forMs: chance.whole(50, 1_500) });
      return disturbed(chance, { mishaps: times(chance.whole(1, 2), kill) }, ['redis']);
    },
  },
  {
    name: 'postgres killed',
    weight: 8,
    draw: (chance) => {
      const kills = times(chance.whole(1, 3), () => ({ kind: 'kill postgres' as const, ...anyMoment(chance) }));
      return { ...disturbed(chance, { mishaps: kills }), server: 'own' };
    },
  },
  {
    name: 'connections cut',
    weight: 16,
    draw: (chance) => disturbed(chance, { mishaps: times(chance.whole(1, 4), () => broken(chance)) }),
  },
  {
    name: 'upstream fails',
    weight: 42,
    draw: (chance) => ({
      nights: [
        { ...calm, faults: passingFaults(chance) },
        { ...calm, faults: chance.happens(0.5) ? passingFaults(chance) : [] },
      ],
      ...unharmed,
    }),
  },
  {
    name: 'content moves',
    weight: 40,
    draw: (chance) => {
      const faults = [contentFault(chance), ...(chance.happens(0.3) ? [contentFault(chance)] : [])];
      return { nights: [calm, { ...calm, faults }, calm], ...moved };
    },
  },
  {
    name: 'content moves on the first night',
    weight: 16,
    draw: (chance) => ({
      nights: [{ ...calm, faults: [contentFault(chance, { isFirstNight: true })] }, calm],
      ...moved,
    }),
  },
  {
    name: 'words change',
    weight: 10,
    draw: (chance) => {
      const nights = [calm, { ...calm, faults: [untrueFault(chance)] }, calm];
      return { nights, ...moved, isTruthful: false };
    },
  },
  {
    name: 'category left out',
    weight: 16,
    draw: (chance) => {
      // Own pages of what the left out category listed are the last that a night asks for.
      const last = () => ({ at: 0.9 + chance.number() / 10, afterMs: chance.whole(0, 350) });
      const mishap = () => ({ kind: chance.pick(['kill crawl', 'kill work', 'end crawl'] as const), ...last() });
      const night = () => ({ ...calm, mishaps: times(chance.whole(0, 2), mishap), workers: chance.whole(0, 2) });
      const nights = [calm, night(), night(), night()];
      return { catalogue: repeating, nights, ...unharmed, queue: chance.pick(anyQueue) };
    },
  },
  {
    name: 'archive full',
    weight: 4,
    draw: (chance) => disturbed(chance, { archiveBytes: chance.whole(8, 40) * 4_096 }),
  },
  {
    name: 'everything at once',
    weight: 10,
    draw: (chance) => ({
      nights: [
        calm,
        {
          ...calm,
          faults: passingFaults(chance),
          mishaps: [
            { kind: 'kill crawl', ...anyMoment(chance) },
            broken(chance),
            { kind: 'lose queue', ...anyMoment(chance) },
          ],
        },
      ],
      ...unharmed,
    }),
  },
];

function broken(chance: Chance): Mishap {
  const moment = anyMoment(chance);
  const on = link(chance);
  switch (chance.whole(0, 3)) {
    case 0:
      return { kind: 'refuse', link: on, ...moment, forMs: chance.whole(50, 800) };
    case 1:
      return { kind: 'hole', link: on, ...moment, forMs: chance.whole(100, 1_200) };
    case 2:
      return { kind: 'delay', link: on, ...moment, forMs: chance.whole(200, 1_000), delayMs: chance.whole(5, 40) };
    default:
      return { kind: 'cut', link: on, ...moment };
  }
}
