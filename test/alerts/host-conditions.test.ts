import { expect, test } from 'vitest';
import { hostConditions } from '../../src/followers/alerts/conditions.ts';
import { hostStatusOf, listings } from '../../src/source/listings/index.ts';

const old = 'property-1-old.simulator';
const kindsOn = (on: string) => {
  const { kind, deadline } = hostStatusOf(listings.property_1, old, { on });
  const host = { listing: 'property_1', host: old, isOld: kind === 'replaced', deadline };
  return hostConditions([host]).map((condition) => condition.kind);
};

test('a host that must be left raises an alert from 30 days before the deadline and after it', () => {
  expect(['2026-06-01', '2026-06-20', '2026-07-20', '2026-08-20'].map((on) => kindsOn(on))).toEqual([
    [],
    ['leave_host'],
    ['leave_host'],
    ['leave_host'],
  ]);
});
