import { describe, expect, it } from 'vitest';
import { ContractBroken, RequestFailed } from '../../src/base/errors.ts';
import { endpoints, storeList, ukProductSearch } from '../../src/source/endpoints/index.ts';
import { ukElement } from './listed-element.ts';
import cases from './other-endpoints.json' with { type: 'json' };

describe('section 4.1 of the specification: a UK search', () => {
  it('a search keeps products in the order of rank', () => {
    const body = {
      success: true,
      data: {
        query: 'ale',
        pageInformation: { totalResults: 99 },
        popularFilters: [{ id: 'b;x', name: ' Beer ' }, null, { name: 7 }],
        products: [ukElement({ id: '2' }), ukElement({ id: '1' })],
      },
    };
    const { records } = ukProductSearch.read(body, { keyword: 'ale' });
    expect([records.declaredTotal, records.popularFilters]).toEqual([99, ['Beer']]);
    expect(records.products.map(({ productId }) => productId)).toEqual(['2', '1']);
  });

  it('an empty query and a query of more than 200 characters are not sent', () => {
    expect(ukProductSearch.query({ keyword: 'oat milk' })).toEqual({ query: 'oat milk' });
    for (const keyword of ['', '  ', 'x'.repeat(201)])
      expect(() => ukProductSearch.query({ keyword })).toThrow(RequestFailed);
  });
});

describe('section 2.1, the store record', () => {
  /** A store as received; `kept` in other-endpoints.json is how it is read. */
  const { store } = cases;
  const read = (stores: unknown) =>
    storeList.read(
      { success: true, data: { success: true, data: { stores } } },
      { latitude: 0, longitude: 0, radiusMiles: 1 },
    );

  it('empty texts of stores become unknown, and hours are kept as printed', () => {
    const { records } = read([store, { ...store }]);
    expect(records.received).toBe(2);
    expect(records.stores).toMatchObject(cases.kept);
  });

  it('a store without a valid id is rejected, and a body without the inner success flag is refused', () => {
    for (const odd of [{ displayName: 'x' }, { ...store, storeId: '7'.repeat(201) }]) {
      expect(read([odd])).toMatchObject({ records: { stores: [] }, rejected: [{ path: 'data.data.stores[0]' }] });
    }
    expect(() =>
      storeList.read({ success: true, data: { data: { stores: [] } } }, { latitude: 0, longitude: 0, radiusMiles: 1 }),
    ).toThrow(ContractBroken);
  });

  it('a store request has text parameters, and coordinates outside the globe are not sent', () => {
    expect(storeList.query({ latitude: 51.5, longitude: -0.1, radiusMiles: 10 })).toEqual({
      latitude: '51.5',
      longitude: '-0.1',
      radius: '10',
    });
    expect(() => storeList.query({ latitude: 91, longitude: 0, radiusMiles: 1 })).toThrow(RequestFailed);
    expect(() => storeList.query({ latitude: 0, longitude: 0, radiusMiles: 0 })).toThrow(RequestFailed);
  });
});

describe('section 4 of the specification: the list of endpoints', () => {
  it('the registry has the grocery endpoints, the store list and health, each at its path', () => {
    expect(
      endpoints.map(({ listing, region, paths: [first, ...others] }) => [listing, region, first, ...others]),
    ).toEqual(cases.registry);
  });
});
