import { pick as choose, fraction, hash } from './hash.ts';

/** Kind of products on a shelf; determines sizes, prices and units. */
export type PackKind =
  | 'grams'
  | 'meat'
  | 'loose'
  | 'drained'
  | 'spice'
  | 'litres'
  | 'millilitres'
  | 'count'
  | 'each'
  | 'marketplace';

export interface Pack {
  /** Total content in `unit`. */
  readonly amount: number;
  readonly unit: 'g' | 'ml' | 'each';
  readonly count: number;
  /** Text in the title; empty if not printed. */
  readonly label: string;
  /** As served; null for marketplace products. */
  readonly unitOfMeasure: string | null;
  /** Amount of `unit` to which the unit price refers. */
  readonly per: number;
  /**
   * `pack`: the changing price is the pack's. `kg`: it is the unit price, and the pack's price follows from the weight.
   */
  readonly priced: 'pack' | 'kg' | 'catchweight';
}

/** Shelf of a pack: its kind, and the sizes that it sells, if it has sizes of its own. */
export interface PackShelf {
  readonly kind: PackKind;
  readonly sold: { readonly sizes: readonly number[] | null };
}

/** Pack size from a product's attribute hash, reduced by `steps`. */
export function packOf({ kind, sold }: PackShelf, attributes: number, region: 'uk' | 'ie', steps = 0): Pack {
  const draw = hash(attributes, 201);
  const size = hash(attributes, 202);
  // Irish unit prices are often per 100 g where British ones are per kg.
  const smallUnits = fraction(hash(attributes, 203)) < (region === 'ie' ? 0.5 : 0.06);

  const pick = (list: readonly number[], value: number) => shrunk(choose(sold.sizes ?? list, value), steps);

  switch (kind) {
    case 'loose':
      return { ...weight(choose(looseGrams, size), 'kg', ''), priced: 'kg' };
    case 'meat':
      if (draw % 100 < 8) return { ...weight(choose(joints, size), 'kg', ''), priced: 'catchweight' };
      return weight(pick(grams, size), smallUnits ? '100g' : 'kg', null, draw);
    case 'grams':
      if (sold.sizes === null && draw % 100 < 12)
        return multi(pick(portions, size), 'g', 3 + (draw % 7), smallUnits ? '100g' : 'kg', draw);
      return weight(pick(grams, size), smallUnits ? '100g' : 'kg', null, draw);
    case 'drained':
      return weight(pick(tins, size), draw % 100 < 60 ? 'kg DR.WT' : 'kg', null, draw);
    case 'spice':
      return spice(pick(spiceGrams, size), draw);
    case 'litres':
      if (isCanned(sold.sizes) && draw % 100 < 30)
        return multi(shrunk(choose(cans, size), steps), 'ml', choose([4, 6, 8, 12], draw), 'litre', draw);
      return volume(pick(bottles, size), 'litre', draw);
    case 'millilitres':
      return volume(pick(tubes, size), draw % 100 < 90 ? '100ml' : 'litre', draw);
    case 'count':
      return {
        ...each(pick([4, 6, 8, 12, 20, 40, 80], size)),
        label: countLabel(pick([4, 6, 8, 12, 20, 40, 80], size), draw),
      };
    case 'each':
      return each(1);
    case 'marketplace':
      return { ...each(1), unitOfMeasure: null };
  }
}

/** Equivalent units: price per kilogram or litre. */
export const normalMeasures: Readonly<Record<string, readonly [measure: string, factor: number]>> = {
  '100g': ['kg', 10],
  '10g': ['kg', 100],
  '100ml': ['litre', 10],
};

const looseGrams = [90, 150, 180, 210, 250, 400];
const joints = [1200, 1500, 1800, 2100];
const grams = [85, 100, 125, 150, 200, 227, 250, 300, 340, 400, 454, 500, 523, 600, 750, 800, 900, 1000, 1500];
const portions = [25, 37, 40, 55, 100];
const tins = [120, 145, 198, 210, 400, 415];
const spiceGrams = [30, 38, 44, 70, 95, 100, 200];
const cans = [150, 250, 330, 440, 500];
const bottles = [250, 330, 500, 700, 750, 850, 1000, 1500, 1750, 2000];
const tubes = [50, 75, 100, 125, 200, 250, 300, 400, 500];

/** Whether a shelf of drinks has cans, too. */
const isCanned = (sizes: readonly number[] | null): boolean => sizes === null || sizes.includes(330);

/** Each step removes a twelfth, at least one unit, but never the last one. */
function shrunk(amount: number, steps: number): number {
  return Math.max(1, amount - steps * Math.max(1, Math.round(amount / 12)));
}

function weight(amount: number, unitOfMeasure: string, label: string | null, draw = 0): Pack {
  const per = unitOfMeasure === '100g' ? 100 : unitOfMeasure === '10g' ? 10 : 1000;
  return { amount, unit: 'g', count: 1, label: label ?? gramsLabel(amount, draw), unitOfMeasure, per, priced: 'pack' };
}

/** Small jars have a price per 10 g. */
function spice(amount: number, draw: number): Pack {
  return weight(amount, amount <= 100 && draw % 100 < 20 ? '10g' : '100g', null, draw);
}

function volume(amount: number, unitOfMeasure: string, draw: number): Pack {
  const per = unitOfMeasure === '100ml' ? 100 : 1000;
  return { amount, unit: 'ml', count: 1, label: millilitresLabel(amount, draw), unitOfMeasure, per, priced: 'pack' };
}

function multi(single: number, unit: 'g' | 'ml', count: number, unitOfMeasure: string, draw: number): Pack {
  const mark = unit === 'g' ? choose(['g', 'G'], draw) : choose(['ml', 'Ml', ' Ml'], draw);
  const times = choose(['x', 'X', ' X ', ' x '], draw >>> 3);
  const per = unitOfMeasure === '100g' ? 100 : 1000;
  const label = `${count}${times}${single}${mark}`;
  return { amount: single * count, unit, count, label, unitOfMeasure, per, priced: 'pack' };
}

function each(count: number): Pack {
  return { amount: count, unit: 'each', count, label: '', unitOfMeasure: 'each', per: 1, priced: 'pack' };
}

function gramsLabel(amount: number, draw: number): string {
  return amount >= 1000 && amount % 500 === 0
    ? `${amount / 1000}${choose(['kg', 'Kg', 'KG'], draw)}`
    : `${amount}${choose(['g', 'G', 'g'], draw)}`;
}

function millilitresLabel(amount: number, draw: number): string {
  if (amount >= 1000) return `${amount / 1000}${choose(['L', ' Litre', 'L'], draw)}`;
  return draw % 9 === 0 && amount % 10 === 0 ? `${amount / 10}cl` : `${amount}${choose(['ml', 'Ml', 'ML'], draw)}`;
}

function countLabel(count: number, draw: number): string {
  return choose([`${count} Pack`, `X${count}`, `${count}s`, `${count} per pack`], draw);
}
