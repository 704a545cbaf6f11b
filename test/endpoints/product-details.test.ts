import { describe, expect, it } from 'vitest';
import { ContractBroken, RequestFailed } from '../../src/base/errors.ts';
import { ieProductDetails, ukProductDetails } from '../../src/source/endpoints/index.ts';
import cases from './product-details.json' with { type: 'json' };

// product-details.json has a product as its own page gives it, and `converted` as we keep it; bodies have a name each.

const asked = { productId: '300000001' };
const read = (data: unknown) => ukProductDetails.read({ success: true, data }, asked).records;

const { product } = cases;

describe('product details', () => {
  it('details are converted to our model', () => {
    expect(read({ productId: '300000001', results: [{ data: { product } }] })).toEqual(cases.converted);
  });

  it.each([
    ['a batch', { results: [{ data: { product } }] }],
    ['one answer', { results: { data: { product } } }],
    ['a wrapper', { results: { product } }],
    ['no wrapper', { product }],
    ['a batch without data', { results: [{ product }] }],
    ['a batch with a partial failure', { results: [{ data: { product }, errors: [{ message: 'reviews are down' }] }] }],
  ])('details are found in %s', (_, data) => {
    expect(read(data)).toMatchObject({ productId: '300000001', priceMinor: 550 });
  });

  it.each(cases.absent as [string, unknown][])('details with %s mean that the product does not exist', (_, data) => {
    expect(read(data)).toBeNull();
  });

  it('a product that the upstream calls not found is kept with its state', () => {
    expect(
      read({
        results: [
          {
            data: {
              product: { id: 300000001, title: 'Gone', status: 'ProductNotFound', isForSale: false, price: null },
            },
          },
        ],
      }),
    ).toMatchObject({ productId: '300000001', title: 'Gone', status: 'ProductNotFound', priceMinor: null });
  });

  it('a failure inside a successful answer is a failure, not an absent product', () => {
    const failed = () =>
      read({ results: [{ errors: [{ message: 'Unauthorized' }], data: { product: null }, status: 401 }] });
    expect(failed).toThrow(RequestFailed);
  });

  it.each(cases.broken as [string, unknown][])('details in %s break the contract', (_, data) => {
    expect(() => read(data)).toThrow(ContractBroken);
  });

  it('details of another product are not attributed to the requested one', () => {
    const other = { ...product, id: '300000002', tpnb: '080000002' };
    expect(() => read({ productId: '300000001', results: [{ data: { product: other } }] })).toThrow(
      /another product than was asked for/,
    );
    // By any of its numbers, however they are padded.
    expect(read({ product: { ...other, tpnc: 300000001 } })).not.toBeNull();
    expect(read({ product: { ...other, tpnb: '0300000001' } })).not.toBeNull();
    // The base product number alone does not show that it is another product.
    expect(read({ product: { ...other, id: null } })).not.toBeNull();
  });

  it('any field may be missing, null or of another type', () => {
    const empty = {
      id: null,
      details: { packSize: null, nutrition: [], nutritionInfo: null, ingredients: 'Milk', allergenInfo: {} },
      price: 5,
    };
    expect(read({ results: [{ data: { product: empty } }] })).toMatchObject({
      productId: '300000001',
      title: null,
      ingredients: 'Milk',
      nutrition: [],
      packSize: null,
      priceMinor: 500,
    });
    expect(read({ results: [{ data: { product: {} } }] })).toMatchObject({ productId: '300000001', breadcrumb: [] });
  });

  it('the other form of the nutrition table is read if the first one is empty', () => {
    const details = {
      nutritionInfo: [],
      nutrition: [
        { name: 'Typical Values', value1: 'per 100g' },
        { name: 'Fat', value1: '2g' },
      ],
    };
    expect(read({ product: { details } })?.nutrition).toMatchObject([{ nutrient: 'fat', basis: '100g' }]);
  });
});

describe('section 4.1 of the specification: the question for product details', () => {
  it('the request contains the id or the address of the product, unchanged', () => {
    const address = 'https://shop.example/groceries/en-GB/products/300000001';
    expect(ukProductDetails.query({ productId: address })).toEqual({ productId: address });
    expect(ieProductDetails.query({ productId: '250000001' })).toEqual({ productId: '250000001' });
    expect(() => ukProductDetails.query({ productId: 'two words' })).toThrow(RequestFailed);
  });
});
