import { expect, inject, test } from 'vitest';
import { playInjections } from './injections.ts';

/** `npm run prove -- --profile injections --count 100` plays a thousand. */
test('nights with hidden faults of the upstream are repaired or not certified, and those between are complete', {
  timeout: 240_000,
}, async () => {
  const ground = { adminUrl: inject('adminUrl'), templateDatabase: inject('templateDatabase') };
  const { broken, counts } = await playInjections(ground, 5, { assortment: { superDepartments: 14 } });
  expect(broken).toEqual([]);
  expect(counts).toMatchObject({ injected: 10, undisturbed: 11 });
  // The trial is not trivial: some nights are repaired and some cannot be.
  const verdicts = Object.keys(counts);
  expect(verdicts.some((verdict) => verdict.endsWith(': partial'))).toBe(true);
  expect(verdicts.some((verdict) => verdict.endsWith(': complete'))).toBe(true);
});
