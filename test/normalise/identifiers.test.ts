import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseGtin, normaliseTpnb } from '../../src/source/normalise/barcode.ts';
import { readImageUrl } from '../../src/source/normalise/image.ts';
import { productIdFrom } from '../../src/source/normalise/product-id.ts';

describe('normaliseGtin', () => {
  it('pads every known length to 14 digits', () => {
    expect(['12345670', '012345678905', '5012345678900', '05012345678900', 5012345678900].map(normaliseGtin)).toEqual([
      '00000012345670',
      '00012345678905',
      '05012345678900',
      '05012345678900',
      '05012345678900',
    ]);
  });

  it('returns null for other lengths, letters and zeros', () => {
    expect(['', '123', '123456789', '5O12345678900', '00000000000000', null, -5, 1.5].map(normaliseGtin)).toEqual(
      Array(8).fill(null),
    );
  });

  it('returns one form for any number of leading zeros', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000_000, max: 99_999_999 }), (code) => {
        const forms = [8, 12, 13, 14].map((length) => normaliseGtin(String(code).padStart(length, '0')));
        expect(new Set(forms).size).toBe(1);
        expect(normaliseGtin(forms[0])).toBe(forms[0]);
      }),
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
