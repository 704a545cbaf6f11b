import { describe, expect, it } from 'vitest';
import { type Check, createReadiness, describeReadiness, isReady } from '../../src/web/monitoring/readiness.ts';

const check = (name: string, look: Check['look'], isNeeded = true): Check => ({
  name,
  isNeeded,
  look,
  unreachable: 'it does not answer',
});

describe('readiness', () => {
  it('readiness succeeds although an optional part fails', async () => {
    const look = createReadiness(() => [
      check('database', async () => null),
      check('queue', () => Promise.reject(new Error('away')), false),
    ]);
    const results = await look();
    expect(isReady(results)).toBe(true);
    expect(describeReadiness(results)).toMatch(/^queue: it does not answer \(/m);
  });

  it('readiness does not wait for a server that never answers, and sends it one query only', async () => {
    let asked = 0;
    let answer = (_: null) => {};
    const look = createReadiness(() => [
      check('database', () => {
        asked += 1;
        return new Promise<null>((resolve) => {
          answer = resolve;
        });
      }),
    ]);
    const both = await Promise.all([look(), look()]);
    expect(both.map(isReady)).toEqual([false, false]);
    expect(asked).toBe(1);
    answer(null);
    await Promise.resolve();
    const later = look();
    answer(null);
    expect(isReady(await later)).toBe(true);
  });
});
