import { describe, expect, it } from 'vitest';
import { ContractBroken, QuestionInvalid } from '../../src/base/errors.ts';
import { endpoints, groceryHealth, storeList, ukProductSearch } from '../../src/source/endpoints/index.ts';
import { ukElement } from './listed-element.ts';

describe('section 4.1 of the specification: a UK search', () => {
  it('a search keeps products in the order of rank', () => {
    const body = {
      success: true,
      data: {
        query: 'ale',
        pageInformation: { totalResults: 99 },
        popularFilters: [],
        products: [ukElement({ id: '2' }), ukElement({ id: '1' })],
      },
    };
    const { records } = ukProductSearch.read(body, { keyword: 'ale' });
    expect([records.keyword, records.declaredTotal, records.products.map(({ productId }) => productId)]).toEqual([
      'ale',
      99,
      ['2', '1'],
    ]);
  });

  it('an empty query and a query of more than 200 characters are not sent', () => {
    expect(ukProductSearch.query({ keyword: 'oat milk' })).toEqual({ query: 'oat milk' });
    for (const keyword of ['', '  ', 'x'.repeat(201)])
      expect(() => ukProductSearch.query({ keyword })).toThrow(QuestionInvalid);
  });
});

describe('section 2.1, the store record', () => {
  const store = {
    storeId: '1001',
    displayName: 'Invented Street',
    storeType: 'Superstore',
    distance: 1.2,
    latitude: 51.5,
    longitude: -0.1,
    email: 'somebody@stores.example',
    isBopisable: true,
    isRopisable: false,
    isCurbsideEnabled: true,
    isConciergeCurbsideEnabled: false,
    isNoShowFeeApplicable: true,
    isOnlineReservationEnabled: false,
    isVirtual: false,
    reservationSystem: 'QUEUE',
    reservationUrl: '',
    address: {
      crossStreet: 'Second Street',
      fax: '',
      mallName: 'Invented Arcade',
      address1: '1 Invented Street',
      address2: '',
      city: 'London',
      country: 'GB',
      phone: '',
      postalCode: 'X1 1XX',
      state: '',
    },
    curbsideHours: {
      mondayHours: '08:00AM-10:00PM',
      sundayHours: 'Closed',
      timeZone: 'Europe/London',
      closedDays: 'Closed on 25 December',
      textColor: 'black',
    },
  };
  const read = (stores: unknown) =>
    storeList.read(
      { success: true, data: { success: true, data: { stores } } },
      { latitude: 0, longitude: 0, radiusMiles: 1 },
    );

  it('empty texts of stores become unknown, and hours become 24-hour times', () => {
    const { records } = read([store, { ...store }]);
    expect(records.received).toBe(2);
    expect(records.stores).toEqual([
      {
        distance: 1.2,
        store: {
          storeId: '1001',
          displayName: 'Invented Street',
          storeType: 'Superstore',
          latitude: 51.5,
          longitude: -0.1,
          email: 'somebody@stores.example',
          isBopisable: true,
          isRopisable: false,
          isCurbsideEnabled: true,
          isConciergeCurbsideEnabled: false,
          isNoShowFeeApplicable: true,
          isOnlineReservationEnabled: false,
          isVirtual: false,
          reservationSystem: 'QUEUE',
          reservationUrl: null,
          address1: '1 Invented Street',
          address2: null,
          city: 'London',
          country: 'GB',
          crossStreet: 'Second Street',
          fax: null,
          mallName: 'Invented Arcade',
          phone: null,
          postalCode: 'X1 1XX',
          state: null,
          closedDays: 'Closed on 25 December',
          textColor: 'black',
          timeZone: 'Europe/London',
          curbsideHours: [
            { weekday: 1, opens: '08:00', closes: '22:00', printed: '08:00AM-10:00PM' },
            { weekday: 7, opens: null, closes: null, printed: 'Closed' },
          ],
        },
      },
    ]);
  });

  it('values of another type become unknown, and numeric texts become numbers', () => {
    const odd = {
      storeId: 7,
      latitude: '51.5',
      longitude: 'west',
      isVirtual: 'no',
      email: 4,
      address: null,
      distance: '2',
    };
    expect(read([odd]).records.stores).toMatchObject([
      {
        distance: 2,
        store: { storeId: '7', displayName: '7', latitude: 51.5, longitude: null, isVirtual: null, email: null },
      },
    ]);
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
    expect(() => storeList.query({ latitude: 91, longitude: 0, radiusMiles: 1 })).toThrow(QuestionInvalid);
    expect(() => storeList.query({ latitude: 0, longitude: 0, radiusMiles: 0 })).toThrow(QuestionInvalid);
  });
});

describe('section 4.3 of the specification: health', () => {
  it('health accepts any object', () => {
    expect(groceryHealth.read({ success: true, uptime: 5 }, undefined).records).toEqual({ success: true, uptime: 5 });
    expect(groceryHealth.read({}, undefined).records).toEqual({});
    expect(() => groceryHealth.read('ok', undefined)).toThrow(ContractBroken);
  });
});

describe('section 4 of the specification: the list of endpoints', () => {
  it('the registry has the grocery endpoints, the store list and health, each at its path', () => {
    expect(
      endpoints.map(({ listing, region, paths: [first, ...others] }) => [listing, region, first, ...others]),
    ).toEqual([
      ['grocery', 'uk', '/get-category-id-for-uk', '/get-category-ids-for-uk'],
      ['grocery', 'ie', '/get-category-ids-for-ireland'],
      ['grocery', 'uk', '/category-page'],
      ['grocery', 'ie', '/ireland-category-page'],
      ['grocery', 'uk', '/product-details'],
      ['grocery', 'ie', '/ireland-product-details'],
      ['grocery', 'uk', '/product-search-by-keyword'],
      ['stores', null, '/store-list'],
      ['grocery', null, '/health'],
      ['property_1', null, '/health'],
      ['property_2', null, '/health'],
    ]);
  });

  it('no path contains a version', () => {
    for (const { paths } of endpoints) for (const path of paths) expect(path).not.toMatch(/\/v?\d/);
  });

  it('every name is unique and in kebab case, and every path starts with a slash', () => {
    const names = endpoints.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, paths } of endpoints) {
      expect(name).toMatch(/^[a-z\d]+(?:-[a-z\d]+)*$/);
      for (const path of paths) expect(path).toMatch(/^\/[a-z-]+$/);
    }
  });
});
