import { fraction, happens, hash } from './hash.ts';
import type { Pack, PackKind } from './pack.ts';

interface PriceTag {
  readonly priceMinor: number;
  readonly unitPriceMinor: number | null;
}

/** The changing price in minor units: of the pack, or of a kilogram for products sold by weight. */
export function basePrice(kind: PackKind, attributes: number, region: 'uk' | 'ie'): number {
  const [low, high] = bounds[kind];
  const raw = low * (high / low) ** fraction(hash(attributes, 301)) * (region === 'ie' ? 1.22 : 1);
  const step = raw < 500 ? 5 : 25;
  const rounded = Math.max(step, Math.round(raw / step) * step);
  return hash(attributes, 302) % 3 === 0 ? rounded - 1 : rounded;
}

/**
 * Price on a day. Time is divided into stretches of 1 / `dailyChange` days; in each the price changes once, on a day
 * specific to the slot. So prices need no state, and the mean share of changes is `dailyChange`.
 */
export function priceOn(day: number, slot: number, base: number, seed: number, dailyChange: number): number {
  if (dailyChange <= 0) return base;
  const stretch = 1 / dailyChange;
  const time = day + (hash(seed, 311, slot) % 4096);
  let index = Math.floor(time / stretch);
  const first = Math.ceil(index * stretch);
  const days = Math.ceil((index + 1) * stretch) - first;
  if (time < first + Math.floor(fraction(hash(seed, 312, slot, index)) * days)) index -= 1;

  // Odd stretches lie above the base and even ones at or below it, so neighbours always differ.
  const steps = hash(seed, 313, slot, index) % 4;
  return index % 2 === 0
    ? base - Math.floor((base * 3 * steps) / 100)
    : base + 1 + Math.round((base * 3 * steps) / 100);
}

/** Price tag of a pack from its changing price. */
export function tagOf(pack: Pack, movingMinor: number): PriceTag {
  if (pack.priced === 'kg') {
    return { priceMinor: Math.max(1, Math.round((movingMinor * pack.amount) / 1000)), unitPriceMinor: movingMinor };
  }
  if (pack.priced === 'catchweight') return { priceMinor: movingMinor, unitPriceMinor: movingMinor };
  if (pack.unitOfMeasure === null) return { priceMinor: movingMinor, unitPriceMinor: null };
  return { priceMinor: movingMinor, unitPriceMinor: Math.max(1, Math.round((movingMinor * pack.per) / pack.amount)) };
}

/** Availability in spells of ten days; a tenth of products not for sale have no price. */
export function stockOn(
  day: number,
  slot: number,
  seed: number,
  unavailable: number,
): 'available' | 'unavailable' | 'unpriced' {
  const spell = Math.floor((day + (hash(seed, 321, slot) % 10)) / 10);
  const draw = hash(seed, 322, slot, spell);
  if (!happens(unavailable, draw)) return 'available';
  return happens(unavailable / 10, draw) ? 'unpriced' : 'unavailable';
}

/** A number as the upstream prints it: `5`, `5.5`, `5.56`. */
export function decimal(minor: number): string {
  const rest = minor % 100;
  if (rest === 0) return String(minor / 100);
  const whole = `${(minor - rest) / 100}.`;
  if (rest % 10 === 0) return whole + rest / 10;
  return whole + (rest < 10 ? `0${rest}` : rest);
}

/** Lowest and highest price of each kind in minor units. */
const bounds: Readonly<Record<PackKind, readonly [number, number]>> = {
  grams: [65, 900],
  meat: [180, 1800],
  loose: [80, 450],
  drained: [45, 350],
  spice: [80, 550],
  litres: [70, 1900],
  millilitres: [100, 1200],
  count: [90, 1400],
  each: [150, 4500],
  marketplace: [499, 24_999],
};
