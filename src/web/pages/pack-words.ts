import type { PriceSpell } from '../../questions/product.ts';
import { number, plural } from '../words.ts';

/** `500 g`, `6 pieces`. */
export function packSize(amount: string, unit: string): string {
  return unit === 'each' ? plural(Number(amount), 'piece') : `${number(amount)} ${unit}`;
}

/** Unit of prices per content, by the measure of packs. */
export const perUnits: Readonly<Record<string, string>> = { g: 'kg', ml: 'litre', each: 'piece' };

/** The spell with its prices per unit; they are unknown if it has another measure. */
export function perUnit<Spell extends Omit<PriceSpell, 'valid_from' | 'valid_to'>>(
  spell: Spell,
  measure: string | null,
): Spell {
  const { price, loyalty_price: members, unit_price: unit } = spell;
  if (unit === null || spell.unit_of_measure !== measure) return { ...spell, price: null, loyalty_price: null };
  const share = members === null || Number(price) === 0 ? null : Number(members) / Number(price);
  return { ...spell, price: unit, loyalty_price: share === null ? null : String(Number(unit) * share) };
}
