import { describe, expect, it } from 'vitest';
import { comparableName } from '../../src/source/normalise/product-name.ts';
import cases from './product-name.json' with { type: 'json' };

// Titles of product-name.json: in `spellings` a list has notations of one, in `titles` each differs from all others.

describe('comparableName', () => {
  it('is the same for every notation of a title', () => {
    for (const titles of cases.spellings) expect(new Set(titles.map(comparableName)).size).toBe(1);
  });

  it('distinguishes titles by words, numbers and amounts', () => {
    const { titles } = cases;
    expect(new Set(titles.map(comparableName)).size).toBe(titles.length);
  });
});
