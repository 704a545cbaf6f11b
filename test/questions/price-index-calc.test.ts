import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allSplices, expanding, geksIndex, rolling, timeProductDummy } from '../../src/questions/index-methods.ts';
import { length, periods } from './price-index-calc/market.ts';

/** Computed by the published package PriceIndexCalc 0.7 (Kayani); see price-index-calc/renew.ts. */
const values = JSON.parse(readFileSync(join(import.meta.dirname, 'price-index-calc/values.json'), 'utf8')) as Record<
  string,
  readonly number[]
>;

const geks = geksIndex(periods);
const dummy = timeProductDummy(periods);
const count = periods.length;
const ours: Readonly<Record<string, readonly number[]>> = {
  'GEKS, one window': geks(0, count - 1),
  'TPD, one window': dummy(0, count - 1),
  'TPD, mean splice on published values': rolling(count, length, dummy, { at: 'mean', isOnPublished: true }),
  'GEKS, expanding window': expanding(count, length - 1, geks),
  ...Object.fromEntries(
    allSplices.map((splice) => [
      `GEKS, ${splice.at} splice${splice.isOnPublished ? ' on published values' : ''}`,
      rolling(count, length, geks, splice),
    ]),
  ),
};

it('no method is without a value of the published package', () => {
  expect(Object.keys(values).sort()).toEqual(Object.keys(ours).sort());
});

it.each(Object.entries(ours))('%s: as the published package computes it', (name, series) => {
  expect(series).toHaveLength(count);
  for (const [t, value] of series.entries()) expect(Math.abs(value - values[name]![t]!)).toBeLessThan(1e-11);
});
