import { describe, expect, it } from 'vitest';
import { comparableName } from '../../src/source/normalise/product-name.ts';

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
});
