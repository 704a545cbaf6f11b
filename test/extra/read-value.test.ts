import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { ConfigInvalid } from '../../src/base/errors.ts';
import type { ExtraField } from '../../src/base/model/index.ts';
import { valuesOf } from '../../src/source/endpoints/extra-fields.ts';
import cases from './read-value.json' with { type: 'json' };

// Rows of read-value.json: `refused` has a setting and its mistake, the others a type, a value, and the value as read.

const { extraFields: one } = loadConfig({ EXTRA_FIELDS: ' rating=a.b|c:number;' }, { cwd: '/nowhere' });
const fields = (type: ExtraField['type']): ExtraField => ({ name: 'x', paths: ['at'], type });
const valueIn = (product: object, field: ExtraField) => valuesOf(product, [field])?.[field.name] ?? null;

test('EXTRA_FIELDS names fields with their paths and types', () => {
  expect(one).toEqual([{ name: 'rating', paths: ['a.b', 'c'], type: 'number' }]);
});

test.each(cases.refused)('EXTRA_FIELDS=%s is refused: %s', (text, message) => {
  const load = () => loadConfig({ EXTRA_FIELDS: text }, { cwd: '/nowhere' });
  expect(load).toThrow(ConfigInvalid);
  expect(load).toThrow(message);
});

test.each(cases.read as [ExtraField['type'], unknown, unknown][])('as %s, %j is read as %j', (type, value, read) => {
  expect(valueIn({ at: value }, fields(type))).toBe(read);
});

test.each([...cases.misfits, ['text', 'x'.repeat(2_001)]] as [ExtraField['type'], unknown][])(
  'of type %s, %j does not fit and is left out',
  (type, value) => {
    expect(valuesOf({ at: value }, [fields(type)])).toBeNull();
  },
);

test('the first path that a product has counts; below null everything is null', () => {
  const [field] = one;
  expect(valueIn({ a: { b: 1 }, c: 2 }, field!)).toBe(1);
  expect(valueIn({ a: {}, c: 2 }, field!)).toBe(2);
  expect(valueIn({ a: null, c: 2 }, field!)).toBeNull();
  expect(valueIn({ a: [], d: 2 }, field!)).toBeNull();
});
