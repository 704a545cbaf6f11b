import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { geksIndex, rolling } from './index-methods.ts';
import { length, periods } from './price-index-calc/market.ts';

/** Computed by the published package PriceIndexCalc 0.7 (Kayani); see price-index-calc/renew.ts. */
const values = JSON.parse(readFileSync(join(import.meta.dirname, 'price-index-calc/values.json'), 'utf8')) as Record<
  string,
  readonly number[]
>;

const geks = geksIndex(periods);
const ours: Readonly<Record<string, readonly number[]>> = {
  'GEKS, one window': geks(0, periods.length - 1),
  'GEKS, mean splice on published values': rolling(periods.length, length, geks),
};

it.each(Object.entries(ours))('%s: as the published package computes it', (name, series) => {
  expect(series).toHaveLength(values[name]!.length);
  for (const [t, value] of series.entries()) expect(Math.abs(value - values[name]![t]!)).toBeLessThan(1e-11);
});
