import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareAnswers, type HostAnswer } from '../../src/crawl/moving/compare-answers.ts';
import { refusedRequest } from '../../src/crawl/moving/probe-hosts.ts';

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
  test('an answer equals itself, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(200, 404, 500), (body, status) => {
        expect(compareAnswers(answer(body, { status }), answer(structuredClone(body), { status }))).toEqual([]);
      }),
    );
  });

  test('a change of structure is found at any level, whatever the field names', () => {
    const names = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('', '.', '[]', '$', 'a.b', 'a', 'b'));
    const document = fc.dictionary(names, fc.dictionary(names, fc.constantFrom(1, 'text', null)));
    fc.assert(
      fc.property(document, document, (one, other) => {
        const isSame = JSON.stringify(kinds(one)) === JSON.stringify(kinds(other));
        expect(compareAnswers(answer(one), answer(other)).length === 0).toBe(isSame);
      }),
      { examples: [[{ 'a.b': {} }, { a: { b: 1 } }]] as never },
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

  test('an error of another form is a difference, and another text is not', () => {
    const error = (body: unknown) => answer(body, { status: 400, headers: {} });
    const old = { success: false, message: 'Invalid request: Query is required', error: 'VALIDATION_ERROR' };
    expect(compareAnswers(error(old), error({ ...old, message: 'No query' }))).toEqual([]);
    const zod = { ...old, error: { name: 'ZodError', issues: [] } };
    expect(compareAnswers(error(old), error(zod))).toMatchObject([{ about: 'error format', place: 'error' }, {}, {}]);
    expect(compareAnswers(error(old), answer(page))).toMatchObject([{ about: 'status', old: '400', new: '200' }]);
    expect(compareAnswers(error(old), error(undefined))).toMatchObject([{ about: 'error format', new: 'not JSON' }]);
  });

  test('the same rate headers are required; the remaining quota may differ, a lower limit may not', () => {
    const at = (headers: HostAnswer['headers']) => compareAnswers(answer(page), answer(page, { headers }));
    expect(at({ ...rates, 'x-ratelimit-requests-remaining': '3', server: 'other' })).toEqual([]);
    expect(at({ ...rates, 'x-ratelimit-requests-limit': '900' })).toEqual([]);
    expect(at({ ...rates, 'x-ratelimit-requests-limit': '499' })).toMatchObject([{ about: 'limit', new: '499' }]);
    expect(at({ server: 'one' })).toMatchObject([{ about: 'rate header' }, { about: 'rate header' }]);
  });
});

test('a request that must be refused lacks what it needs, or asks for nothing', () => {
  expect(refusedRequest(['/health', '/category-page?categoryId=b&pageNo=1'])).toBe('/category-page');
  expect(refusedRequest(['/health'])).toBe('/no-such-endpoint');
});

/** Names and kinds of values, in the order of names. */
function kinds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.entries(value)
    .map(([name, inner]) => [name, kinds(inner)])
    .sort(([one], [other]) => (one! < other! ? -1 : 1));
}
