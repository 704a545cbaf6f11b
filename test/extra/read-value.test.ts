import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { ConfigInvalid } from '../../src/base/errors.ts';
import type { ExtraField } from '../../src/base/model/index.ts';
import { readValue } from '../../src/followers/extra/read-value.ts';

const { extraFields: one } = loadConfig({ EXTRA_FIELDS: ' rating=a.b|c:number;' }, { cwd: '/nowhere' });
const fields = (type: ExtraField['type']): ExtraField => ({ name: 'x', paths: ['at'], type });

test('EXTRA_FIELDS names fields with their paths and types', () => {
  expect(one).toEqual([{ name: 'rating', paths: ['a.b', 'c'], type: 'number' }]);
});

test.each([
  ['rating', 'must be fields such as'],
  ['rating=a.b', 'must be fields such as'],
  ['rating=a[].b:text', 'a path has no list'],
  ['rating=a..b:text', 'must be fields such as'],
  ['Rating=a:text', 'must be fields such as'],
  ["r'=a:text", 'must be fields such as'],
  ['rating=a:money', 'types are text, number, boolean, date'],
  ['rating=a:text;rating=b:text', 'names a field twice'],
])('EXTRA_FIELDS=%s is refused: %s', (text, message) => {
  const load = () => loadConfig({ EXTRA_FIELDS: text }, { cwd: '/nowhere' });
  expect(load).toThrow(ConfigInvalid);
  expect(load).toThrow(message);
});

test.each([
  ['text', ' Honey ', 'Honey'],
  ['text', 'a\u0000b', 'ab'],
  ['text', 4, '4'],
  ['text', '', null],
  ['number', 4.4, '4.4'],
  ['number', '4.40', '4.4'],
  ['number', 1e-7, '1e-7'],
  ['boolean', true, 'true'],
  ['boolean', 'false', 'false'],
  ['date', '2026-03-01', '2026-03-01'],
  ['date', '2026-03-01T23:00:00Z', '2026-03-01'],
  ['date', null, null],
] as const)('as %s, %j is read as %j', (type, value, read) => {
  expect(readValue({ at: value }, fields(type))).toEqual({ value: read, reason: null });
});

test.each([
  ['text', ['a'], 'list does not fit text'],
  ['text', 'x'.repeat(2_001), 'text does not fit text'],
  ['number', 'four', 'text does not fit number'],
  ['number', '12345678901234567', 'text does not fit number'],
  ['boolean', 1, 'number does not fit boolean'],
  ['date', '2026-02-30', 'text does not fit date'],
  ['date', { day: 1 }, 'object does not fit date'],
] as const)('as %s, %j is null: %s', (type, value, reason) => {
  expect(readValue({ at: value }, fields(type))).toEqual({ value: null, reason });
});

test('the first path that a product has counts; below null everything is null; a missing field is not read', () => {
  const [field] = one;
  expect(readValue({ a: { b: 1 }, c: 2 }, field!)?.value).toBe('1');
  expect(readValue({ a: {}, c: 2 }, field!)?.value).toBe('2');
  expect(readValue({ a: null, c: 2 }, field!)).toEqual({ value: null, reason: null });
  expect(readValue({ a: [], d: 2 }, field!)).toBeUndefined();
});
