import { describe, expect, it } from 'vitest';
import { normaliseGtin, normaliseTpnb } from '../../src/source/normalise/barcode.ts';
import { readImageUrl } from '../../src/source/normalise/image.ts';
import { productIdFrom } from '../../src/source/normalise/product-id.ts';

describe('normaliseGtin', () => {
  it('pads every known length to 14 digits', () => {
    const codes = ['12345670', '012345678905', '5012345678900', '05012345678900', 5012345678900];
    expect([...codes, 25293001220, 1234565, '5 000157 024671', '5-000157-024671'].map(normaliseGtin)).toEqual([
      '00000012345670',
      '00012345678905',
      '05012345678900',
      '05012345678900',
      '05012345678900',
      // Without their leading zeros, and as printed.
      ...['00025293001220', '00000001234565', '05000157024671', '05000157024671'],
    ]);
  });

  it('returns null for other lengths, letters and zeros', () => {
    expect(['', '123', '123456789', '5O12345678900', '00000000000000', null, -5, 1.5].map(normaliseGtin)).toEqual(
      Array(8).fill(null),
    );
  });
});

describe('normaliseTpnb', () => {
  it('strips zeros and accepts numbers and texts', () => {
    expect(['056950419', '56950419', 56950419, '0', 'x', null, undefined].map(normaliseTpnb)).toEqual([
      '56950419',
      '56950419',
      '56950419',
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('productIdFrom', () => {
  it.each([
    ['300000001', '300000001'],
    [300000001, '300000001'],
    ['007', '007'],
    [' 300000001 ', '300000001'],
    ['https://shop.example/groceries/en-GB/products/300000001', '300000001'],
    ['https://shop.example/shop/en-GB/products/300000001?x=1', '300000001'],
    ['https://shop.example/groceries/en-IE/products/300000001/', '300000001'],
  ])('finds the id in %j', (value, id) => {
    expect(productIdFrom(value)).toBe(id);
  });

  it.each([null, '', '  ', 2 ** 53, -1, 1.5, 'two words', 'https://shop.example/products/', {}, 'a\u0000b'])(
    'finds none in %j',
    (value) => {
      expect(productIdFrom(value)).toBeNull();
    },
  );
});

describe('readImageUrl', () => {
  it('drops the size request and knows no image in other schemes', () => {
    expect(readImageUrl('https://img.example/a/b.jpeg?h=225&w=225')).toBe('https://img.example/a/b.jpeg');
    expect(readImageUrl('https://img.example/a/b.jpeg#x')).toBe('https://img.example/a/b.jpeg');
    expect(['', null, 'javascript:alert(1)', 'https://img.example/a b'].map(readImageUrl)).toEqual(Array(4).fill(null));
  });
});
