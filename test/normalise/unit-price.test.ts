import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseUnitPrice } from '../../src/source/normalise/unit-price.ts';

describe('normaliseUnitPrice', () => {
  it.each([
    [0.72, '100g', '7.2', 'kg'],
    [0.07, '10g', '7', 'kg'],
    [0.005, 'g', '5', 'kg'],
    [5.56, 'kg', '5.56', 'kg'],
    [5, 'KG', '5', 'kg'],
    [1.23, 'litre', '1.23', 'litre'],
    [1.23, 'Litres', '1.23', 'litre'],
    [1.23, 'l', '1.23', 'litre'],
    [0.123, '100ml', '1.23', 'litre'],
    [0.12, '10cl', '1.2', 'litre'],
    [0.99, 'each', '0.99', 'each'],
    [5.52, 'kg DR.WT', '5.52', 'kg DR.WT'],
    [0.55, '100g DR.WT', '5.5', 'kg DR.WT'],
    [2, 'litre dr.wt', '2', 'litre DR.WT'],
    [3.5, '75cl', '3.5', '75cl'],
    [0.02, '100 sheets', '0.02', '100 sheets'],
    [0.2, 'wash', '0.2', 'wash'],
    [0.72, 'per 100g', '7.2', 'kg'],
    [0.72, '/100 g', '7.2', 'kg'],
    [1.23, 'Per Litre', '1.23', 'litre'],
    [5.52, 'per kg DR.WT', '5.52', 'kg DR.WT'],
    [0.02, 'per 100 sheets', '0.02', 'per 100 sheets'],
    ['£5.68', 'litre', '5.68', 'litre'],
    ['72p', '100g', '7.2', 'kg'],
    [72, 'p/100g', '7.2', 'kg'],
    ['(72p per 100g)', null, '7.2', 'kg'],
    [7.199999999999999, 'kg', '7.2', 'kg'],
    ['0.00004', 'each', null, 'each'],
    [null, '100g', null, 'kg'],
    [0, 'kg', null, 'kg'],
    [-1, 'kg', null, 'kg'],
    ['soon', 'kg', null, 'kg'],
    [1e12, 'kg', null, 'kg'],
    [1.5, null, '1.5', null],
    [1.5, '  ', '1.5', null],
    [1.5, 42, '1.5', null],
  ])('reads %j per %j as %j per %j', (price, measure, unitPrice, unitOfMeasure) => {
    expect(normaliseUnitPrice(price, measure)).toEqual({ unitPrice, unitOfMeasure });
  });

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
