import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLabel, readProse, readTitle, storableText } from '../../src/source/normalise/text.ts';

describe('texts', () => {
  it('texts have decoded entities and single spaces; odd spellings stay', () => {
    expect(readTitle('  Double \u00a0 spaces "quoted", CrÃ¨me\t454G ')).toBe('Double spaces "quoted", CrÃ¨me 454G');
    expect(readTitle('Ben &amp; Jerry&#39;s Cr&egrave;me &frac12; &amp;amp; AT&T R&D &nosuch;')).toBe(
      "Ben & Jerry's Crème ½ & AT&T R&D &nosuch;",
    );
    expect(readTitle('a\u0000b\ud800c')).toBe('ab\ufffdc');
    expect(readTitle('a\u001b[31mb\r\nc\rd\u0007')).toBe('a[31mb c d');
    expect([readTitle(' \u0000 '), readTitle(''), readTitle(null), readTitle(5)]).toEqual([null, null, null, null]);
  });

  it('texts keep emoji and other whole surrogate pairs', () => {
    expect(readTitle('Beer 🍺 330ml')).toBe('Beer 🍺 330ml');
  });

  it('labels lose control characters', () => {
    expect(readLabel(' £2.50\u0007 Clubcard  Price\n')).toBe('£2.50 Clubcard Price');
  });

  it('prose with markup, entities and lists becomes one plain line', () => {
    expect(readProse(['<p>Best &amp; bright</p>', 'Caf&eacute;&nbsp;&#8364;1&#x20AC;', null, 7])).toBe(
      'Best & bright Café €1€',
    );
    expect(readProse('1 < 2 <br/>and <b>bold</b>ly &unknown; &#0;')).toBe('1 < 2 and boldly &unknown;');
    expect(readProse('e\u0301')).toBe('é');
    expect([readProse(null), readProse([]), readProse(' <p></p> ')]).toEqual([null, null, null]);
  });

  it('texts are always storable: no control character but tab and line feed, no lone surrogate', () => {
    const units = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
      .map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(units, (text) => {
        for (const read of [storableText(text), readTitle(text), readLabel(text), readProse(text)]) {
          expect(read ?? '').not.toMatch(/[\u0000-\u0008\u000b-\u001f\p{Surrogate}]/u);
        }
      }),
    );
  });

  it('texts are cut at a length that can be stored, never within a character', () => {
    const title = readTitle(`a${'🍺'.repeat(5_000)}`) ?? '';
    expect(title.length).toBeLessThanOrEqual(800);
    expect(title).not.toMatch(/\p{Surrogate}|\ufffd/u);
    expect((readProse('x'.repeat(1_000_000)) ?? '').length).toBe(20_000);
  });
});
