import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSizeFromTitle, readPackTitle } from '../../src/source/normalise/pack-title.ts';
import cases from './pack-title.json' with { type: 'json' };

// The titles of pack-title.json, by test. One of `sizes` has its size, its measure and its number of pieces.

describe('packSizeFromTitle', () => {
  it.each(cases.sizes as [string, string, string, number | null][])('reads %j', (title, size, measure, count) => {
    expect(packSizeFromTitle(title)).toEqual({ size, measure, count });
  });

  it.each(['\u00a0', '\u202f', '\u2009', '\u3000', '\u200b', ' \u00a0', '  ', '\t'])(
    'accepts any kind of space: %j',
    (space) => {
      for (const title of [
        'Invented Water 6 X 500 Ml',
        'Invented Rolls 8 Pack',
        'Pierogi 4 x 100 g (400 g)',
        'Cake Slices X6',
      ]) {
        expect(readPackTitle(title.replaceAll(' ', space))).toEqual(readPackTitle(title));
      }
    },
  );

  it('reads a content before the number of packs as that of one piece, and one after it as the total', () => {
    expect(packSizeFromTitle('Invented Bar Multipack 40g 4 Pack')).toEqual({ size: '160', measure: 'g', count: 4 });
    expect(packSizeFromTitle('Invented Chews 4 Pack 88G')).toEqual({ size: '88', measure: 'g', count: 4 });
    expect(packSizeFromTitle('Invented Gum 64g 46 Pieces')).toEqual({ size: '64', measure: 'g', count: 46 });
    expect(packSizeFromTitle('Invented Desserts 85g x 6 Pack')).toEqual({ size: '510', measure: 'g', count: 6 });
  });

  it.each(cases.approximate)('gives no size for a range or an approximate weight: %j', (title) => {
    expect(packSizeFromTitle(title)).toBeNull();
  });

  it.each(cases.ambiguous)('gives no size for an ambiguous text: %j', (title) => {
    expect(packSizeFromTitle(title)).toBeNull();
  });

  it.each(cases.none)('finds no size in %j', (title) => {
    expect(packSizeFromTitle(title)).toBeNull();
  });

  it('multiplies pieces and content of any multipack, in either order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom('x', 'X', ' x ', ' × '),
        (count, size, times) => {
          const expected = { size: String(count * size), measure: 'ml', count };
          expect(packSizeFromTitle(`Thing ${count}${times}${size}ml`)).toEqual(expected);
          expect(packSizeFromTitle(`Thing ${size}ml${times}${count}`)).toEqual(expected);
        },
      ),
    );
  });

  it('never counts more pieces than a row can hold, however they are multiplied', () => {
    const counts = fc.integer({ min: 1, max: 99_999 });
    const ends = fc.constantFrom('5g', '5 Pack', '5 Wipes', '100 x 9999 Sheets', '100 Pack');
    fc.assert(
      fc.property(counts, counts, ends, (one, other, end) => {
        expect(packSizeFromTitle(`Thing ${one} x ${other} x ${end}`)?.count ?? 0).toBeLessThanOrEqual(9_999);
      }),
    );
    expect(packSizeFromTitle('Thing 99 x 999 x 5g')).toBeNull();
    expect(packSizeFromTitle('Thing 99 x 9999 Sheets')).toBeNull();
  });
});

describe('the name of a product without its size', () => {
  it('is the same for every notation of the size', () => {
    const sizes = ['500g', '450G', '0.45 kg', '4x125g', '4 x 100 g (400 g)', '500g (300g drained)', ''];
    for (const size of sizes)
      expect(readPackTitle(`Northfold Crème Beans, ${size} Tomato`).name).toBe('northfold creme beans tomato');
  });

  it('keeps numbers that are not sizes', () => {
    expect(readPackTitle("Northfold 7 Up 5% O'Dowd's 330ml").name).toBe('northfold 7 up 5 odowds');
  });

  it('keeps the volume of a bag, which is not the size of the pack', () => {
    expect(readPackTitle('Northfold Bin Liners 30L 20 Pack').name).toBe('northfold bin liners 30 l');
    expect(readPackTitle('Northfold Bin Liners 50L 20 Pack').name).toBe('northfold bin liners 50 l');
  });
});
