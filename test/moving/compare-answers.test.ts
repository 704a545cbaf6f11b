import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareAnswers, compareWithEarlier, type HostAnswer } from '../../src/moving/compare-answers.ts';
import { refusedRequest } from '../../src/moving/requests-to-compare.ts';

const page = {
  success: true,
  data: {
    products: [
      { id: '1', price: { price: 5, unitPrice: null } },
      { id: '2', price: null },
    ],
  },
};
const rates = { 'x-ratelimit-requests-limit': '500', 'x-ratelimit-requests-remaining': '400', server: 'one' };

const answer = (body: unknown, more: Partial<HostAnswer> = {}): HostAnswer => ({
  status: 200,
  headers: rates,
  body,
  ...more,
});
const changed = (change: (body: typeof page) => void) => {
  const body = structuredClone(page);
  change(body);
  return compareAnswers(answer(page), answer(body));
};

describe('section 9: field names, data types, error formats and rate limits stay identical', () => {
  test('an answer is the same as itself, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(200, 404, 500), (body, status) => {
        expect(compareAnswers(answer(body, { status }), answer(structuredClone(body), { status }))).toEqual([]);
        expect(compareWithEarlier(body, structuredClone(body))).toEqual([]);
      }),
    );
  });

  test('any other answer differs', () => {
    const key = (value: unknown) => JSON.stringify(value);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        fc.pre(key(one) !== key(other) && !/-0|__proto__/.test(key(one) + key(other)));
        const isSameSet = key(sorted(one)) === key(sorted(other));
        expect(compareAnswers(answer(one), answer(other)).length > 0).toBe(!isSameSet);
      }),
    );
  });

  test('a renamed field is missing on one side and new on the other, once', () => {
    const differences = changed((body) => {
      for (const product of body.data.products as Record<string, unknown>[]) {
        product['cost'] = product['price'];
        delete product['price'];
      }
    });
    expect(differences).toEqual([
      { about: 'field', place: 'data.products[].cost', old: 'missing', new: 'null or object' },
      { about: 'field', place: 'data.products[].price', old: 'null or object', new: 'missing' },
    ]);
  });

  test('a number that became a text is a difference of type', () => {
    const differences = changed((body) => {
      (body.data.products[0]!.price as { price: unknown }).price = '5';
    });
    expect(differences).toEqual([
      { about: 'type', place: 'data.products[].price.price', old: 'number', new: 'string' },
    ]);
  });

  test('another value is told by its exact place', () => {
    const differences = changed((body) => {
      body.data.products[1]!.id = '3';
    });
    expect(differences).toEqual([{ about: 'value', place: 'data.products[1].id', old: '"2"', new: '"3"' }]);
  });

  test('an error of another form or name differs, one that only says it otherwise does not', () => {
    const error = (body: unknown) => answer(body, { status: 400, headers: {} });
    const old = { success: false, message: 'Invalid request: Query is required', error: 'VALIDATION_ERROR' };
    expect(compareAnswers(error(old), error({ ...old, message: 'No query' }))).toEqual([]);
    expect(compareAnswers(error(old), error({ ...old, error: 'BAD' }))).toMatchObject([{ about: 'error format' }]);
    const zod = { ...old, error: { name: 'ZodError', issues: [] } };
    expect(compareAnswers(error(old), error(zod))).toMatchObject([{ about: 'error format', place: 'error' }, {}, {}]);
    expect(compareAnswers(error(old), answer(page))).toMatchObject([{ about: 'status', old: '400', new: '200' }]);
    expect(compareAnswers(error(old), error(undefined))).toMatchObject([{ about: 'body', new: 'not JSON' }]);
  });

  test('rate headers are the same ones; what remains may differ, a lower limit may not', () => {
    const at = (headers: HostAnswer['headers']) => compareAnswers(answer(page), answer(page, { headers }));
    expect(at({ ...rates, 'x-ratelimit-requests-remaining': '3', server: 'other' })).toEqual([]);
    expect(at({ ...rates, 'x-ratelimit-requests-limit': '900' })).toEqual([]);
    expect(at({ ...rates, 'x-ratelimit-requests-limit': '499' })).toMatchObject([{ about: 'limit', new: '499' }]);
    expect(at({ server: 'one' })).toMatchObject([{ about: 'rate header' }, { about: 'rate header' }]);
  });
});

describe('an answer held against one from the archive', () => {
  test('may have other values, and fields where there was nothing', () => {
    const fresh = structuredClone(page) as { data: { products: unknown[]; extra?: unknown } };
    fresh.data.products = [{ id: '9', price: { price: 7, unitPrice: 1.5 } }];
    expect(compareWithEarlier(page, fresh)).toEqual([]);
    expect(compareWithEarlier({ list: [], some: null }, { list: [{ a: 1 }], some: { b: 2 } })).toEqual([]);
  });

  test('may not have lost a field or changed a type', () => {
    expect(compareWithEarlier({ a: 1, b: 2 }, { a: 1 })).toMatchObject([{ about: 'field', place: 'b' }]);
    expect(compareWithEarlier({ a: 1 }, { a: '1' })).toMatchObject([{ about: 'type', place: 'a' }]);
  });
});

test('a request that must be refused is one without what it needs, or for nothing', () => {
  expect(refusedRequest(['/health', '/category-page?categoryId=b&pageNo=1'])).toBe('/category-page');
  expect(refusedRequest(['/health'])).toBe('/no-such-endpoint');
});

/** Objects are sets of fields: their order says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
