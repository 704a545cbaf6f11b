import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalFromNumber, scaledToWhole } from '../../src/source/normalise/decimal.ts';
import { parseMoney } from '../../src/source/normalise/money.ts';
import cases from './money.json' with { type: 'json' };

// money.json: rows of an amount as received and its pence or cents, then values without an amount.

const pence = fc.integer({ min: 1, max: 1_000_000_000 });

describe('parseMoney', () => {
  it.each(cases.amounts as [number | string, number][])('reads %j as %i minor units', (value, minor) => {
    expect(parseMoney(value)).toBe(minor);
  });

  it.each([...cases.none, undefined, Number.NaN, Number.POSITIVE_INFINITY, JSON.parse('1e400')])(
    'finds no amount in %j',
    (value) => {
      expect(parseMoney(value)).toBeNull();
    },
  );

  it('reads every whole number of pence back from its JSON number, its text and its text with a symbol', () => {
    fc.assert(
      fc.property(pence, (minor) => {
        const text = `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
        expect(parseMoney(Number(text))).toBe(minor);
        expect(parseMoney(JSON.parse(text))).toBe(minor);
        expect(parseMoney(`£${text}`)).toBe(minor);
        expect(parseMoney(text.replace('.', ','))).toBe(minor);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives for any number what exact decimal arithmetic gives', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 9_999_999, noNaN: true }), (value) => {
        const exact = Number(scaledToWhole(decimalFromNumber(value) ?? '0', 2));
        expect(parseMoney(value)).toBe(exact > 0 ? exact : null);
      }),
    );
  });
});
