import { pick as choose, fraction, hash } from './hash.ts';

type OfGrams = 'grams' | 'portions' | 'meat' | 'loose' | 'drained' | 'spice';
type OfMillilitres = 'litres' | 'cans' | 'millilitres' | 'bottle';
/** Kind of products on a shelf; determines sizes, prices and units. */
export type PackKind = OfGrams | OfMillilitres | 'count' | 'each' | 'marketplace';

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

/** Goods in packs: their kind, and their sizes in grams, millilitres or pieces; none if sold singly. */
export interface Packed {
  readonly kind: PackKind;
  readonly sizes: readonly number[];
  readonly style?: Style;
}

/** How a brand writes sizes: of one gram, kilogram, millilitre and litre, several of a size, and pieces. */
export type Style = keyof typeof styles;
const styles = {
  plain: ['g', 'kg', 'ml', 'L', 'x', '# Pack'],
  spaced: [' g', ' kg', ' ml', ' L', ' x ', '# Pack'],
  capitals: ['G', 'KG', 'ML', ' L', 'X', 'X#'],
  words: ['g', 'kg', ' Ml', ' Litre', ' X ', '# per pack'],
  mixed: ['g', 'Kg', 'Ml', ' Litre', 'X', '#s'],
} as const;

/** Pack size from a product's attribute hash, reduced by `steps`. */
export function packOf({ kind, sizes, style = 'plain' }: Packed, attributes: number, steps = 0): Pack {
  const draw = hash(attributes, 201);
  const size = hash(attributes, 202);
  const perWeight = fraction(hash(attributes, 203)) < 0.06 ? '100g' : 'kg';

  const full = sizes.length === 0 ? 1 : choose(sizes, size);
  const amount = shrunk(full, steps);
  const filled = (unit: 'g' | 'ml', unitOfMeasure: string, count = 1) => {
    const [gram, kilogram, millilitre, litre, times] = styles[style];
    const [small, large] = unit === 'g' ? [gram, kilogram] : [millilitre, litre];
    const label = amount < 1000 ? `${amount}${small}` : `${amount / 1000}${large}`;
    return measured(amount * count, unit, unitOfMeasure, count === 1 ? label : `${count}${times}${label}`, count);
  };

  switch (kind) {
    case 'loose':
      return { ...measured(full, 'g', 'kg', ''), priced: 'kg' };
    case 'meat':
      return full < 2000
        ? filled('g', perWeight)
        : { ...measured(choose(joints, draw), 'g', 'kg', ''), priced: 'catchweight' };
    case 'grams':
      return filled('g', perWeight);
    case 'portions':
      return filled('g', perWeight, choose([4, 6, 6, 12], draw));
    case 'drained':
      return filled('g', draw % 100 < 60 ? 'kg DR.WT' : 'kg');
    case 'spice':
      // Some small jars have a price per 10 g.
      return filled('g', amount <= 100 && draw % 100 < 20 ? '10g' : '100g');
    case 'cans':
      return filled('ml', 'litre', amount <= 500 && draw % 100 < 60 ? choose([4, 6, 8, 12], draw) : 1);
    case 'litres':
      return filled('ml', 'litre');
    case 'millilitres':
      return filled('ml', draw % 100 < 90 ? '100ml' : 'litre');
    case 'bottle':
      return {
        ...filled('ml', 'litre'),
        ...(amount % 100 === 50 || amount === 700 ? { label: `${amount / 10}cl` } : {}),
      };
    case 'count':
      return { ...each(amount), label: styles[style][5].replace('#', String(amount)) };
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

const joints = [1200, 1500, 1800, 2100];

/** Sizes to which shops reduce packs. */
const usualSizes = [
  ...[20, 22, 25, 27, 30, 35, 40, 45, 50, 60, 65, 70, 75, 80, 85, 90, 100, 110, 120, 125, 135, 140, 150, 160, 170, 180],
  ...[200, 210, 225, 240, 250, 270, 275, 300, 320, 330, 350, 360, 375, 400, 420, 440, 450, 475, 500, 540, 550, 580],
  ...[600, 630, 650, 675, 700, 720, 750, 800, 850, 900, 950, 1000, 1100, 1200, 1300, 1350, 1500, 1600, 1800, 2000],
  ...[2200, 2500, 2700, 3000, 3500, 4000, 4500, 5000, 9000],
];

/** Each step removes about a tenth; packs of a few pieces keep them. */
function shrunk(amount: number, steps: number): number {
  if (steps === 0 || amount < 5) return amount;
  const aim = amount * 0.9;
  const fitting = usualSizes.filter((usual) => usual < amount && Math.abs(usual - aim) <= aim * 0.06);
  const nearest = fitting.sort((a, b) => Math.abs(a - aim) - Math.abs(b - aim))[0];
  return shrunk(nearest ?? Math.min(amount - 1, Math.round(aim)), steps - 1);
}

function measured(amount: number, unit: 'g' | 'ml', unitOfMeasure: string, label: string, count = 1): Pack {
  const per = 1000 / (normalMeasures[unitOfMeasure]?.[1] ?? 1);
  return { amount, unit, count, label, unitOfMeasure, per, priced: 'pack' };
}

function each(count: number): Pack {
  return { amount: count, unit: 'each', count, label: '', unitOfMeasure: 'each', per: 1, priced: 'pack' };
}
