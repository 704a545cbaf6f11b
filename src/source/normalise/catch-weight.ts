import { decimalFromNumber } from './decimal.ts';
import { measured } from './pack-measure.ts';

/** Maximum plausible weight of a pack. */
const maxGrams = 100_000;

/**
 * Typical weight in grams of a product sold by weight: the default of `catchWeightList` (`[{weight: 1.8, price: 9,
 * default: true}]`, kilograms), otherwise its first entry. Null for other products.
 */
export function readCatchWeight(list: unknown): number | null {
  if (!Array.isArray(list)) return null;
  const packs = list.flatMap((pack: unknown) => {
    const { weight, default: isDefault } = (typeof pack === 'object' && pack !== null ? pack : {}) as Fields;
    const grams = gramsOf(weight);
    return grams === null ? [] : [{ grams, isDefault: isDefault === true }];
  });
  return (packs.find(({ isDefault }) => isDefault) ?? packs[0])?.grams ?? null;
}

type Fields = { readonly weight?: unknown; readonly default?: unknown };

function gramsOf(kilograms: unknown): number | null {
  const decimal = typeof kilograms === 'number' ? decimalFromNumber(kilograms) : String(kilograms).trim();
  const grams = Math.round(Number(measured(decimal ?? '', 'kg')?.size ?? 0));
  return grams > 0 && grams <= maxGrams ? grams : null;
}
