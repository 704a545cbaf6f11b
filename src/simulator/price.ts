import { fraction, happens, hash } from './hash.ts';
import type { Pack } from './pack.ts';
import type { TaxonomyNode } from './taxonomy.ts';

interface PriceTag {
  readonly priceMinor: number;
  readonly unitPriceMinor: number | null;
}

/** A product's shelf and full pack, from which its price follows. */
interface Priced {
  readonly shelf: TaxonomyNode;
  readonly pack: Pack;
  readonly attributes: number;
  readonly isOwnBrand: boolean;
}

/** The changing price in minor units: of the pack, or of a kilogram if sold by weight. Large packs cost less. */
export function basePrice({ shelf, pack, attributes, isOwnBrand }: Priced, region: 'uk' | 'ie'): number {
  const isByWeight = pack.priced !== 'pack';
  const units = pack.unit === 'each' ? pack.amount : pack.amount / 1000;
  const typical = typicalUnits(shelf, pack);
  const forUnits = isByWeight ? 1 : typical * (units / typical) ** 0.8;
  const taste = (isOwnBrand ? 0.7 : 1) * 0.8 * 2 ** fraction(hash(attributes, 301)) * (region === 'ie' ? 1.22 : 1);
  const raw = shelf.sold.pence * forUnits * taste;
  const step = stepOf(raw);
  const rounded = Math.max(step, Math.round(raw / step) * step);
  return hash(attributes, 302) % 3 === 0 && rounded > step ? rounded - 1 : rounded;
}

/** Middle of the sizes of a shelf, in kilograms, litres or pieces. */
function typicalUnits({ sold }: TaxonomyNode, { unit, amount }: Pack): number {
  const middle = sold.sizes?.[sold.sizes.length >> 1] ?? amount;
  return unit === 'each' ? middle : middle / 1000;
}

const stepOf = (minor: number): number => (minor < 100 ? 1 : minor < 1000 ? 5 : minor < 5000 ? 25 : 100);

/** 2026-01-01: the day of base prices. */
const baseDay = 20_454;
const maxYears = 5;

/** A base price on a day, after the inflation of its shelf. */
export function baseOn(day: number, base: number, inflation: number): number {
  const years = Math.max(-maxYears, Math.min(maxYears, (day - baseDay) / 365));
  const raw = base * (1 + inflation) ** years;
  const step = Math.min(5, stepOf(raw));
  return Math.max(step, Math.round(raw / step) * step);
}

/**
 * Price on a day. Time is divided into stretches of 1 / `dailyChange` days; in each the price changes once, on a day
 * specific to the slot. So prices need no state, and the mean share of changes is `dailyChange`.
 */
export function priceOn(
  day: number,
  slot: number,
  { base, inflation }: { readonly base: number; readonly inflation: number },
  seed: number,
  dailyChange: number,
): number {
  if (dailyChange <= 0) return base;
  const stretch = 1 / dailyChange;
  const offset = hash(seed, 311, slot) % 4096;
  const time = day + offset;
  let index = Math.floor(time / stretch);
  const first = Math.ceil(index * stretch);
  const days = Math.ceil((index + 1) * stretch) - first;
  if (time < first + Math.floor(fraction(hash(seed, 312, slot, index)) * days)) index -= 1;

  // Odd stretches lie above the level that they share with the one before, and even ones at or below it.
  const level = baseOn(Math.floor((index - (index & 1)) * stretch) - offset, base, inflation);
  const moved = (level * 3 * (hash(seed, 313, slot, index) % 4)) / 100;
  const step = Math.min(5, stepOf(level));
  if (index % 2 === 0) return Math.max(1, level - Math.floor(moved / step) * step);
  return level + step + Math.floor(moved / step) * step;
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
