import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { ConfigInvalid } from '../../src/base/errors.ts';
import type { ExtraField } from '../../src/base/model/index.ts';
import { valuesOf } from '../../src/source/endpoints/extra-fields.ts';

const { extraFields: one } = loadConfig({ EXTRA_FIELDS: ' rating=a.b|c:number;' }, { cwd: '/nowhere' });
const fields = (type: ExtraField['type']): ExtraField => ({ name: 'x', paths: ['at'], type });
const valueIn = (product: object, field: ExtraField) => valuesOf(product, [field])?.[field.name] ?? null;

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
  ...['title', 'gtin', 'valid_from', 'price', 'loyalty_price', 'category_path', 'product_key', 'extra', 'value'].map(
    (name) => [`rating=a:text;${name}=b:text`, `calls a field ${name}, which is a column`],
  ),
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
  ['number', 4.4, 4.4],
  ['number', '4.40', 4.4],
  ['number', 1e-7, 1e-7],
  ['boolean', true, true],
  ['boolean', 'false', false],
  ['date', '2026-03-01', '2026-03-01'],
  ['date', '2026-03-01T23:00:00Z', '2026-03-01'],
  ['date', null, null],
] as const)('as %s, %j is read as %j', (type, value, read) => {
  expect(valueIn({ at: value }, fields(type))).toBe(read);
});

test.each([
  ['text', ['a']],
  ['text', 'x'.repeat(2_001)],
  ['number', 'four'],
  ['number', '12345678901234567'],
  ['boolean', 1],
  ['date', '2026-02-30'],
  ['date', { day: 1 }],
] as const)('of type %s, %j does not fit and is left out', (type, value) => {
  expect(valuesOf({ at: value }, [fields(type)])).toBeNull();
});

test('the first path that a product has counts; below null everything is null', () => {
  const [field] = one;
  expect(valueIn({ a: { b: 1 }, c: 2 }, field!)).toBe(1);
  expect(valueIn({ a: {}, c: 2 }, field!)).toBe(2);
  expect(valueIn({ a: null, c: 2 }, field!)).toBeNull();
  expect(valueIn({ a: [], d: 2 }, field!)).toBeNull();
});
