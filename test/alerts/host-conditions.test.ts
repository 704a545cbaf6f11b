import { expect, test } from 'vitest';
import { hostConditions } from '../../src/followers/alerts/hosts.ts';
import { hostStatusOf, property1 } from '../../src/source/listings/index.ts';

const old = 'property-1-old.simulator';
const kindsOn = (on: string, billedBeside: string | null = null) => {
  const { kind, deadline } = hostStatusOf(property1, old, { on });
  const host = { listing: 'property_1', host: old, isOld: kind === 'replaced', deadline, billedBeside };
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

test('an old host that still answers the key raises an alert, because both subscriptions are billed', () => {
  expect(kindsOn('2026-06-01', 'old.example')).toEqual(['billed_twice']);
});
