import { expect, it } from 'vitest';
import { instantOf } from '../../src/source/endpoints/product-promotions.ts';

it.each([
  ['2025-09-21T23:00:00Z', '2025-09-21T23:00:00.000Z'],
  ['2025-03-24T00:00:00.000+01:00', '2025-03-23T23:00:00.000Z'],
  ...[null, '', '2025-09-21', '2025-02-30T00:00:00Z', '2025-09-21T23:00:00', '21/09/2025', 5].map((value) => [value]),
])('a promotion date is exactly the instant given, or none: %j', (value, instant = null) => {
  expect(instantOf(value)?.toISOString() ?? null).toBe(instant);
});
