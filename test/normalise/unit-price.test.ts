import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseUnitPrice } from '../../src/source/normalise/unit-price.ts';
import cases from './unit-price.json' with { type: 'json' };

// A row of unit-price.json: price and measure as received, price and measure as read.

describe('normaliseUnitPrice', () => {
  it.each(cases.readings as [unknown, unknown, string | null, string | null][])(
    'reads %j per %j as %j per %j',
    (price, measure, unitPrice, unitOfMeasure) => {
      expect(normaliseUnitPrice(price, measure)).toEqual({ unitPrice, unitOfMeasure });
    },
  );

  it('gives the same unit price for every choice of the measure', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (pencePerHundred) => {
        const price = pencePerHundred / 100;
        const perKilo = normaliseUnitPrice(price, '100g');
        expect(perKilo.unitPrice).toBe(normaliseUnitPrice((pencePerHundred * 10) / 100, 'kg').unitPrice);
        expect(normaliseUnitPrice(price, '100ml').unitPrice).toBe(perKilo.unitPrice);
      }),
    );
  });
});
