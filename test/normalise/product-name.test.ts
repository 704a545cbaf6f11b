import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparableBrand, comparableName } from '../../src/source/normalise/product-name.ts';

describe('comparableName', () => {
  it('is the same for every notation of a title', () => {
    const spellings = [
      ["O'Dowd's Crème Yogurt 4 X 100 g", 'O’DOWD’S CREME YOGURT 4x100G', 'ODowds crème  yogurt, 4×100 Grams'],
      ['Lager 75cl', 'Lager 750 ML', 'LAGER 0.75 Litre', 'Lager 0,75l'],
      ['Salt & Vinegar Crisps', 'Salt and Vinegar Crisps'],
      ['Nappies Size 4+', 'NAPPIES  size 4+ '],
      ['Vitamin C + Zinc', 'Vitamin C+Zinc'],
      ['Flour 1,000g', 'Flour 1kg', 'Flour 1 Kgs'],
      ['Milk 2 Ltrs', 'Milk 2L'],
    ];
    for (const titles of spellings) expect(new Set(titles.map(comparableName)).size).toBe(1);
  });

  it('distinguishes titles by words, numbers and amounts', () => {
    const titles = [
      'Milk 2L',
      'Milk 1L',
      'Milk 2L 1.5% Fat',
      'Milk 2L 15% Fat',
      'Milk 2',
      'Milk 2kg',
      'Milk 2x1L',
      'Milk 1 2L',
      'Milch 2L',
      'Milk 2 2L',
      'Milk 200ml',
      'Milk 200ml+',
      'Milk+ 200ml',
    ];
    expect(new Set(titles.map(comparableName)).size).toBe(titles.length);
  });

  it('is idempotent and ignores case', () => {
    const word = fc.constantFrom(
      'Crème',
      'brûlée',
      '4 X 100g',
      '1,5 Litre',
      '75cl',
      "O'Dowd",
      '&',
      '250 G',
      '8 Pack',
      '2%',
      'SPF 50+',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const name = comparableName(words.join(' '));
        expect(comparableName(name)).toBe(name);
        expect(comparableName(words.join('  ').toUpperCase())).toBe(name);
      }),
    );
  });

  it('takes little time for any title', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 2_000 }),
        (title) => typeof comparableName(title) === 'string',
      ),
    );
  });
});

describe('comparableBrand', () => {
  it('is the same for every notation of a brand, and null if there is none', () => {
    expect(["O'Dowd's", 'O’DOWDS', ' odowds '].map(comparableBrand)).toEqual(Array(3).fill('odowds'));
    expect(['', ' - ', '™'].map((brand) => comparableBrand(brand))).toContain(null);
  });
});
