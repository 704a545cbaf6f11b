import { happens, hash, pick } from './hash.ts';
import { groupDeal, loyaltyPrice, ordinaryCut, type PromotedProduct, type PromotionMeaning } from './promotion-text.ts';

/**
 * A promotion as listed on a day. `startDay` and `endDay` are local midnights, the end exclusive; null: not printed.
 */
export interface Promotion extends PromotionMeaning {
  readonly startDay: number | null;
  readonly endDay: number | null;
}

interface PromotionRates {
  readonly seed: number;
  /** Share of products on promotion. */
  readonly share: number;
  /** Share of promotions listed up to two days before their start. */
  readonly early: number;
  /** Days added to all ends, for catalogues that do not evolve. */
  readonly lastingDays: number;
}

/**
 * Promotions of a slot's product on a day. Sixteen neighbouring slots share spells of one to four weeks and the texts
 * of group deals; prices of single products are their own.
 */
export function promotionsOn(
  day: number,
  slot: number,
  product: (startDay: number) => PromotedProduct,
  rates: PromotionRates,
): readonly Promotion[] {
  const { seed } = rates;
  const group = slot >> 4;
  const length = pick(lengths, hash(seed, 401, group));
  const shift = hash(seed, 402, group) % length;
  const index = Math.floor((day + shift) / length);

  const current = spell(index, slot, product, rates, length, shift);
  const daysLeft = (index + 1) * length - shift - day;
  if (daysLeft > 2 || !happens(rates.early, hash(seed, 403, group, index + 1))) return current;
  return [...current, ...spell(index + 1, slot, product, rates, length, shift)];
}

/** Whether a promotion is in effect on a local day. */
export function isInEffect({ startDay, endDay }: Promotion, day: number): boolean {
  return (startDay === null || startDay <= day) && (endDay === null || day < endDay);
}

const lengths = [7, 14, 21, 28];
/** Share of products that take part in a group's promotion. */
const takingPart = 0.75;
const none: readonly Promotion[] = [];

function spell(
  index: number,
  slot: number,
  product: (startDay: number) => PromotedProduct,
  { seed, share, lastingDays }: PromotionRates,
  length: number,
  shift: number,
): readonly Promotion[] {
  const group = slot >> 4;
  const draw = hash(seed, 404, group, index);
  if (!happens(share / takingPart, draw)) return none;
  if (!happens(takingPart, hash(seed, 405, slot, index))) return none;

  const dates = hash(seed, 406, group, index) % 16;
  const startDay = dates === 0 ? null : index * length - shift;
  const endDay = dates === 1 ? null : (index + 1) * length - shift + lastingDays;

  const promoted = product(index * length - shift);
  const family = hash(seed, 407, group, index) % 100;
  const deal = hash(seed, 408, group, index) % 100;
  const own = hash(seed, 409, slot, index);
  const wording = hash(seed, 410, group, index);
  const first =
    family < 60
      ? loyaltyPrice(promoted, own)
      : family < 64
        ? ordinaryCut(promoted, own)
        : groupDeal({ ...promoted, base: groupBase(wording) }, deal, wording);
  if (family >= 64 || own % 100 >= 6) return [{ ...first, startDay, endDay }];

  const second = groupDeal({ ...promoted, base: groupBase(wording) }, deal, wording);
  return [
    { ...first, startDay, endDay },
    { ...second, startDay, endDay },
  ];
}

/** Deals on several products are priced for the group. */
function groupBase(wording: number): number {
  return 100 + (wording % 9) * 50;
}
