import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryIdsOfPath, decodeCategoryId, encodeCategoryId } from '../../src/source/normalise/category-id.ts';

describe('category ids', () => {
  it('category ids are base64 of the URI-encoded path, with names untrimmed', () => {
    expect(encodeCategoryId(['Fresh Food'])).toBe('b;RnJlc2glMjBGb29k');
    expect(encodeCategoryId(['Fresh Food '])).not.toBe(encodeCategoryId(['Fresh Food']));
    expect(decodeCategoryId(encodeCategoryId(['Crème & Co.', " Men's #1 (big)  "]))).toEqual([
      'Crème & Co.',
      " Men's #1 (big)  ",
    ]);
  });

  it('category ids are computed for every level of a path', () => {
    expect(categoryIdsOfPath(['A', 'B'])).toEqual([encodeCategoryId(['A']), encodeCategoryId(['A', 'B'])]);
  });

  it('a text that is not a category id, or names what cannot be stored, decodes to null', () => {
    const unstorable = [['Fresh\u0000Food'], ['Fresh', '\u001b[2J']].map(encodeCategoryId);
    for (const text of ['', 'b;', 'x;QQ==', 'b;%%', 'b;JQ==', 'Fresh Food', ...unstorable])
      expect(decodeCategoryId(text)).toBeNull();
  });

  it('a category id survives a lone surrogate', () => {
    expect(decodeCategoryId(encodeCategoryId(['a\ud800b']))).toEqual(['a\ufffdb']);
  });

  it('a category id gives back any path of names without a bar', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('|'));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
        expect(decodeCategoryId(encodeCategoryId(names))).toEqual(names);
      }),
    );
  });
});
