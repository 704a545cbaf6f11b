import type { TruePromotion } from '../../src/simulator/truth.ts';
import type { TrueNight } from './true-nights.ts';

/** A promotion, from the first night on which it is in effect and its product is listed. */
export interface TrueStart {
  readonly productId: string;
  readonly promotion: TruePromotion;
  /** Its night, and the day since which it holds: its own first day if that is not before the first night. */
  readonly date: string;
  readonly beganOn: string;
  /** Shelf price and unit price of that night. */
  readonly price: number | null;
  readonly unitPrice: number | null;
}

/** Announced price and lowest price for anyone of the nights before, in major units; null: none. */
export interface TrueJudgement {
  readonly reference: number | null;
  readonly reduced: number | null;
  readonly prior: number | null;
  /** The reference price without a known night. */
  readonly compared: number | null;
  /** Null: it is real, or it is too early to tell. */
  readonly fault: 'overstated' | 'no reduction' | null;
}

const keyOf = ({ description, startsAt, endsAt }: TruePromotion): string => `${description} ${startsAt} ${endsAt}`;

/** Promotions in the order in which they begin. */
export function promotionStarts(nights: readonly TrueNight[]): TrueStart[] {
  const known = new Set<string>();
  return nights.flatMap(({ date, products, offered }) =>
    [...products.values()].flatMap(({ productId, promotions, unitPrice }) =>
      promotions.flatMap((promotion): TrueStart[] => {
        const key = `${productId} ${keyOf(promotion)}`;
        if (!promotion.inEffect || known.has(key)) return [];
        known.add(key);
        const minor = offered.get(productId) ?? null;
        const own = promotion.startsAt === null ? date : dateIn(promotion.startsAt);
        return [
          {
            productId,
            promotion,
            date,
            beganOn: date === nights[0]!.date ? own : date,
            price: minor === null ? null : minor / 100,
            unitPrice: unitPrice === null ? null : Number(unitPrice),
          },
        ];
      }),
    ),
  );
}

/** Judges the promotions of single products; no prices are known before the first night. */
export function judgeStarts(nights: readonly TrueNight[]): (TrueStart & TrueJudgement)[] {
  const judged: (TrueStart & TrueJudgement)[] = [];
  for (const start of promotionStarts(nights)) {
    const { productId, promotion, beganOn, price, unitPrice } = start;
    const announced = announcedBy(promotion, price, unitPrice);
    if (announced === null || announced.reduced === null) continue;
    const { reference, reduced, isByUnit } = announced;
    const series = judged
      .filter(
        (earlier) =>
          earlier.productId === productId &&
          earlier.date < start.date &&
          (earlier.promotion.kind === 'loyalty_unit_price') === isByUnit &&
          earlier.reduced! >= reduced &&
          (earlier.promotion.endsAt === null || dateIn(earlier.promotion.endsAt) >= beganOn),
      )
      .sort((a, b) => (a.beganOn < b.beganOn ? -1 : 1))[0];
    const before = nights
      .filter(({ date }) => date < beganOn)
      .flatMap(({ products, offered }) => {
        const product = products.get(productId);
        const shelf = offered.get(productId) ?? Number.NaN;
        const offer = isByUnit
          ? Number(product?.unitPrice ?? Number.NaN)
          : Math.min(shelf, product?.loyaltyPriceMinor ?? shelf) / 100;
        return product === undefined || Number.isNaN(offer) ? [] : [offer];
      });
    const prior = series ? series.prior : before.length === 0 ? null : Math.min(...before);
    const compared = prior ?? reference;
    // A point, or half a penny of the price, is allowed.
    const says = Number(promotion.savePercent ?? 100 * (1 - reduced / reference!));
    const isTooMuch = (before: number) => says > (100 * (before - reduced) + Math.max(0.5, before)) / before + 1e-9;
    let fault: TrueJudgement['fault'] = null;
    if (compared !== null && reduced >= compared) fault = 'no reduction';
    else if (compared !== null && isTooMuch(compared)) fault = 'overstated';
    judged.push({ ...start, reference, reduced, prior, compared, fault });
  }
  return judged;
}

/** Depth of a promotion of one product, in percent of the price beside which it began; null: it has none. */
export function depthOf({ promotion, price, unitPrice }: TrueStart): number | null {
  const announced = announcedBy(promotion, price, unitPrice);
  if (announced === null || announced.reduced === null || announced.reference === null) return null;
  return 100 * (1 - announced.reduced / announced.reference);
}

/** Null: the text announces no price of one product. */
function announcedBy({ kind, description, ...said }: TruePromotion, price: number | null, unitPrice: number | null) {
  const [, was, now] = /^Was .(\d+\.\d\d) Now .(\d+\.\d\d)$/.exec(description) ?? [];
  if (kind === 'price_cut' && was !== undefined)
    return { reference: Number(was), reduced: Number(now), isByUnit: false };
  if (kind === 'loyalty_price') return { reference: price, reduced: said.loyaltyPriceMinor! / 100, isByUnit: false };
  if (kind === 'loyalty_unit_price')
    return { reference: unitPrice, reduced: Number(said.loyaltyUnitPrice), isByUnit: true };
  return null;
}

/** Local date of an instant that is a local midnight, in summer time. */
const dateIn = (instant: string): string => new Date(Date.parse(instant) + 3_600_000).toISOString().slice(0, 10);
