import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Trial } from '../profile.ts';
import { drawSchedule, playSchedule } from './faults.ts';
import { createUndisturbed } from './undisturbed.ts';

/**
 * A schedule of each kind of fault that no other test of the suite causes in a process. All use one catalogue, so that
 * its undisturbed course is computed once. In "everything at once" responses break off, connections are reset, the
 * crawl is killed, the database stops responding, and the queue is lost while the night is published.
 * `npm run prove -- --profile faults --count 200` plays many more, of every family.
 */
const chosen: readonly (readonly [family: string, seed: number])[] = [
  ['everything killed', 9],
  ['stopped and woken', 4],
  ['postgres killed', 4],
  ['queue lost', 9],
  ['connections cut', 9],
  ['everything at once', 4],
  ['content moves', 4],
];

describe('a crawl keeps every promise when', { timeout: 240_000 }, () => {
  const playing = new Map<string, Promise<Trial>>();
  beforeAll(() => {
    const ground = { adminUrl: inject('adminUrl'), templateDatabase: inject('templateDatabase') };
    const undisturbedOf = createUndisturbed(ground);
    // Much of a schedule is waiting for locks, limits and restarts.
    const lane = pLimit(3);
    for (const [family, seed] of chosen) {
      const played = lane(() => playSchedule(ground, undisturbedOf, drawSchedule(seed, family)));
      played.catch(() => undefined);
      playing.set(family, played);
    }
  });
  afterAll(() => Promise.allSettled(playing.values()));

  test.each(chosen)('%s (seed %i)', async (family, seed) => {
    const { broken, counts } = await playing.get(family)!;
    expect(broken, `npm run prove -- --profile faults --count 1 --seed ${seed} --only '${family}'`).toEqual([]);
    expect(counts['nights']).toBeGreaterThan(1);
  });
});
