import { expect, test } from 'vitest';
import { endpoints } from '../../src/source/endpoints/index.ts';
import { hostStatusOf, listings } from '../../src/source/listings/index.ts';

test('each listing names its endpoints', () => {
  for (const { name, endpoints: named } of Object.values(listings)) {
    expect([...named]).toEqual(endpoints.filter(({ listing }) => listing === name).map((endpoint) => endpoint.name));
  }
});

test('section 9: both real-estate listings have an old host, each with the day by which it is left', () => {
  const leaveBy = (name: keyof typeof listings) => listings[name].hosts.map((host) => host.leaveBy);
  expect(leaveBy('property_1')).toEqual([null, '2026-07-20']);
  expect(leaveBy('property_2')).toEqual([null, '2026-05-12']);
  expect([...leaveBy('grocery'), ...leaveBy('stores')].every((day) => day === null)).toBe(true);
});

test.each([
  ['2026-06-01', 'ahead', 49],
  ['2026-06-20', 'near', 30],
  ['2026-07-20', 'near', 0],
  ['2026-07-21', 'passed', -1],
  ['2026-11-21', 'passed', -124],
])('on %s the deadline of the first one is %s', (on, state, days) => {
  const old = hostStatusOf(listings.property_1, 'property-1-old.simulator', { on });
  expect(old).toEqual({ kind: 'replaced', deadline: { leaveBy: '2026-07-20', state, days } });
});

test('an unknown host may be the old one until the listing was moved to it', () => {
  const about = { on: '2026-11-21' };
  expect(hostStatusOf(listings.property_2, 'estate.example', about)).toMatchObject({
    kind: 'unknown',
    deadline: { leaveBy: '2026-05-12', state: 'passed' },
  });
  expect(hostStatusOf(listings.property_2, 'estate.example', { ...about, isNew: true })).toEqual({
    kind: 'current',
    deadline: null,
  });
  // One that answers after the last day of the old host is not the old one.
  const late = { ...about, answeredOn: '2026-05-13' };
  expect(hostStatusOf(listings.property_2, 'estate.example', late).deadline).toBeNull();
  expect(hostStatusOf(listings.grocery, 'shop.example', about)).toEqual({ kind: 'unknown', deadline: null });
});
