import { fraction, happens, hash } from './hash.ts';
import type { Pack } from './pack.ts';
import type { Article, Goods } from './taxonomy.ts';

/** Irish prices in cents are so much above British ones in pence. */
const irishLevel = 1.24;

/**
 * The changing price of a full pack in minor units, or of a kilogram if sold by weight. Twice the size costs 1.8 times
 * as much, drinks 1.5 times.
 */
export function basePrice({ goods, level }: Article, pack: Pack, region: 'uk' | 'ie'): number {
  const isByWeight = pack.priced !== 'pack';
  const units = pack.unit === 'each' ? pack.amount : pack.amount / 1000;
  const typical = typicalUnits(goods, pack);
  const forUnits = isByWeight ? 1 : typical * (units / typical) ** (goods.kind === 'cans' ? 0.55 : 0.85);
  return goods.pence * forUnits * level * (region === 'ie' ? irishLevel : 1);
}

/** Middle of the sizes of goods, in kilograms, litres or pieces; pots of a multipack count together, cans in part. */
function typicalUnits({ sizes }: Goods, { unit, count }: Pack): number {
  const typical = sizes[sizes.length >> 1] ?? 1;
  return unit === 'each' ? typical : (typical * count ** (unit === 'g' ? 1 : 0.5)) / 1000;
}

const stepOf = (minor: number): number => (minor < 70 ? 1 : minor < 1000 ? 5 : minor < 2000 ? 50 : 100);

/** A price as shops set it. */
export function rounded(minor: number): number {
  const step = stepOf(minor);
  return Math.max(step, Math.round(minor / step) * step);
}

/**
 * Lowest legal price of a pack. Irish law asks 10 cents for a gram of alcohol; a millilitre weighs just under 0.8 g.
 * (https://www.irishstatutebook.ie/eli/2018/act/24/section/11/enacted/en/html)
 */
export function lowestPrice({ alcohol }: Goods, { amount }: Pack, region: 'uk' | 'ie'): number {
  return region === 'ie' ? Math.ceil((amount * alcohol * 0.08) / 5) * 5 : 0;
}

/** 2026-01-01: the day of base prices. */
const baseDay = 20_454;
const maxYears = 5;

/** What a regular price follows from. */
interface Regular {
  readonly base: number;
  readonly attributes: number;
  /** Rise of the prices of its shelf in a year, as a share. */
  readonly inflation: number;
  readonly cheapest: Goods['cheapest'];
}

/** A price without the deviation of its stretch. */
function levelOn(day: number, { base, inflation, cheapest }: Regular): number {
  const years = (day - baseDay) / 365.25;
  const level = base * (1 + inflation) ** Math.max(-maxYears, Math.min(maxYears, years));
  if (cheapest === null) return level;
  // Lowest in the middle of the month, highest half a year later, by half as much.
  return level * (1 - cheapest.share * (0.25 + 0.75 * Math.cos(2 * Math.PI * (years - (cheapest.month - 0.5) / 12))));
}

/** Days between changes of a seasonal price, and the fewest between changes of a price. */
const seasonalDays = 28;
const restDays = 21;

/**
 * Regular price on a day. Time is divided into stretches of 1 / `dailyChange` days; in each the price changes once, on
 * a day specific to the slot. So prices need no state, and the mean share of changes is `dailyChange`, seasons apart.
 */
export function priceOn(day: number, slot: number, regular: Regular, seed: number, dailyChange: number): number {
  if (dailyChange <= 0) return rounded(regular.base);
  const stretch = regular.cheapest ? seasonalDays : 1 / dailyChange;
  const offset = hash(seed, 311, slot) % 4096;
  const time = day + offset;
  let index = Math.floor(time / stretch);
  const first = Math.ceil(index * stretch);
  const days = Math.max(1, Math.ceil((index + 1) * stretch) - first - restDays);
  if (time < first + Math.floor(fraction(hash(seed, 312, slot, index)) * days)) index -= 1;

  const level = levelOn(Math.floor((index + 0.5) * stretch) - offset, regular);
  const endsInNine = level >= 200 && level < 1000 && hash(regular.attributes, 302) % 3 === 0;
  const step = endsInNine ? 10 : stepOf(level);
  // Two increases, then a decrease of about the same size as both; seasonal prices only follow their season.
  const third = regular.cheapest ? 1 : ((index % 3) + 3) % 3;
  const moved = (level * (3 + (hash(seed, 313, slot, Math.floor(index / 3)) % 3))) / 100;
  const steps = Math.round(level / step) + (third - 1) * Math.max(1, Math.round(moved / step));
  return Math.max(1, steps * step - (endsInNine ? 1 : 0));
}

/** Price tag of a pack from its changing price. */
export function tagOf(pack: Pack, movingMinor: number) {
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
