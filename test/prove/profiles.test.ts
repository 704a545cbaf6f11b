import { describe, expect, inject, test } from 'vitest';
import { worlds } from './worlds/worlds.ts';

/** `npm run prove -- --profile worlds` plays many more. */
describe('every promise is kept by', { timeout: 240_000 }, () => {
  const ground = () => ({ adminUrl: inject('adminUrl'), templateDatabase: inject('templateDatabase') });

  test.each([
    ['two upstreams', 4],
    ['two clocks', 1],
    ['a clock beside the machine’s', 2],
    ['two catalogues', 3],
  ])('%s in one database', async (_, seed) => {
    const { broken, counts } = await worlds.begin(ground())(seed);
    expect(broken).toEqual([]);
    expect(counts['published']).toBeGreaterThan(0);
  });
});
