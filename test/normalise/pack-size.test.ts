import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSizeFromTitle, readPackSize } from '../../src/normalise/pack-size.ts';

describe('packSizeFromTitle', () => {
  it.each([
    ['Invented Ale 4X330ml', '1320', 'ml', 4],
    ['Invented Beans 454G', '454', 'g', null],
    ['Invented Yoghurt 9x37g', '333', 'g', 9],
    ['Invented Water 6 X 500 Ml', '3000', 'ml', 6],
    ['Invented Carrots 1Kg', '1000', 'g', null],
    ['Invented Cola 2 Litre', '2000', 'ml', null],
    ['Invented Rolls 8 Pack', '8', 'each', 8],
    ['Invented Wine 75Cl', '750', 'ml', null],
    ['Invented Chews 4 Pack 88G', '88', 'g', 4],
    ['Invented Milk 2.272L, 4 Pints', '2272', 'ml', null],
    ['Invented Milk 2,8% 1 l', '1000', 'ml', null],
    ['Invented Avocados Twin Pack', '2', 'each', 2],
    ['Invented Stout 4.2% Vol 12 × 440ml', '5280', 'ml', 12],
    ['Invented Soup 0.5kg', '500', 'g', null],
  ])('reads %j', (title, size, measure, count) => {
    expect(packSizeFromTitle(title)).toEqual({ size, measure, count });
  });

  it.each(['Invented Bananas Loose', 'Vitamin B12', '100% Juice', 'Class 1 Pears', '', 'Size 4 Nappies'])(
    'finds none in %j',
    (title) => {
      expect(packSizeFromTitle(title)).toBeNull();
    },
  );

  it('gives pieces times content for any multipack', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom('x', 'X', ' x ', ' × '),
        (count, size, times) => {
          expect(packSizeFromTitle(`Thing ${count}${times}${size}ml`)).toEqual({
            size: String(count * size),
            measure: 'ml',
            count,
          });
        },
      ),
    );
  });
});

describe('readPackSize', () => {
  const list = (value: unknown, units: string) => [{ value, units }];

  it.each([
    [list('1750', 'ML'), 'Invented Cola 1.75L', { size: '1750', measure: 'ml', count: null }],
    [list('0.1', 'kg'), 'Invented Puree', { size: '100', measure: 'g', count: null }],
    [list('400', 'KG'), 'Invented Beans 400G', { size: '400', measure: 'g', count: null }],
    [list('400', 'KG'), 'Invented Beans', null],
    [list('330', 'ML'), 'Invented Ale 4X330ml', { size: '1320', measure: 'ml', count: 4 }],
    [list('6', 'SNGL'), 'Invented Eggs', { size: '6', measure: 'each', count: 6 }],
    [[{ value: null, units: 'SNGL' }], 'Invented Eggs 6 Pack', { size: '6', measure: 'each', count: 6 }],
    [[...list(4, 'SNGL'), ...list('88', 'G')], null, { size: '88', measure: 'g', count: 4 }],
    [list('500', 'G'), 'Invented Butter 250G', { size: '500', measure: 'g', count: null }],
    [null, 'Invented Butter 250G', { size: '250', measure: 'g', count: null }],
    [[null, 5, {}, { value: 'x', units: 'G' }, { value: '0', units: 'G' }], null, null],
  ])('reads %j of %j', (packSize, title, expected) => {
    expect(readPackSize(packSize, title)).toEqual(expected);
  });

  it('never throws and never gives a size of 0', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (packSize, title) => {
        expect(readPackSize(packSize, title)?.size).not.toBe('0');
      }),
    );
  });
});
