import { describe, expect, inject, test } from 'vitest';
import type { Profile } from './profile.ts';
import { worlds } from './worlds/worlds.ts';

/** `npm run prove -- --profile worlds` plays many more. */
describe('every promise is kept by', { timeout: 240_000 }, () => {
  const ground = () => ({ adminUrl: inject('adminUrl'), templateDatabase: inject('templateDatabase') });

  test.each([
    ['two upstreams', worlds, 4],
    ['two clocks', worlds, 1],
    ['a clock beside the machine’s', worlds, 2],
    ['two catalogues', worlds, 3],
  ] satisfies [string, Profile, number][])('%s in one database', async (_, profile, seed) => {
    const course = await profile.begin(ground(), { count: 1, seed, only: undefined, parallel: 1 });
    const { broken, counts } = await course.play(seed);
    expect(broken).toEqual([]);
    expect(counts['nights']!['published']).toBeGreaterThan(0);
  });
});
