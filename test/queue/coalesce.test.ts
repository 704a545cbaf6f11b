import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coalesce } from '../../src/queue/coalesce.ts';

describe('coalesced work', () => {
  test('is never done twice at a time for a key, and is done once more after the last call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 20 }), async (pauses) => {
        let busy = 0;
        let calls = 0;
        /** How many calls there had been when the work began. */
        const begunAfter: number[] = [];
        const work = coalesce<string>(async () => {
          busy += 1;
          expect(busy).toBe(1);
          begunAfter.push(calls);
          await sleep(3);
          busy -= 1;
        }, 5);
        for (const pause of pauses) {
          await sleep(pause);
          calls += 1;
          void work('run');
        }
        await expect.poll(() => begunAfter.at(-1), { timeout: 30_000, interval: 5 }).toBe(pauses.length);
        expect(begunAfter.length).toBeLessThanOrEqual(pauses.length);
      }),
      { numRuns: 15 },
    );
  });

  test('of different keys does not wait for each other', async () => {
    const done: string[] = [];
    const work = coalesce<string>(async (key) => void done.push(key), 1_000);
    await Promise.all([work('a'), work('b'), work('a'), work('c')]);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  test('that fails tells its caller, and is tried again by the next call', async () => {
    let calls = 0;
    const work = coalesce<string>(async () => {
      calls += 1;
      if (calls === 1) throw new Error('away');
    }, 5);
    await expect(work('run')).rejects.toThrow('away');
    await work('run');
    await sleep(30);
    expect(calls).toBe(2);
  });
});
