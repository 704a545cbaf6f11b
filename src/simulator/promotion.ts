import { byDay, dayOf, easterOf, yearOf } from './calendar.ts';
import { happens, hash, pick } from './hash.ts';
import { rounded } from './price.ts';
import { groupDeal, loyaltyPrice, ordinaryCut, type PromotedProduct, type PromotionMeaning } from './promotion-text.ts';

/**
 * A promotion as listed on a day. `startDay` and `endDay` are local midnights, the end exclusive; null: not printed.
 */
export interface Promotion extends PromotionMeaning {
  readonly startDay: number | null;
  readonly endDay: number | null;
}

interface OfferRates {
  readonly seed: number;
  /** Mean share of products on offer, events apart. */
  readonly share: number;
  /** Share of promotions listed up to two days before their start. */
  readonly early: number;
  /** Days added to all ends, for catalogues that do not evolve. */
  readonly lastingDays: number;
}

/** Two or three weeks, from a Tuesday or a Wednesday. Products of a shelf and brand share it. */
interface Spell {
  readonly group: number;
  readonly index: number;
  readonly startDay: number;
  readonly endDay: number;
  /** Whether the group has offers in it. */
  readonly isOffering: boolean;
}

/** A product's offer during a spell. */
export interface Offer extends Spell {
  readonly kind: 'price' | 'cut' | 'deal';
  /** Factor of the shelf price while it lasts. */
  readonly factor: number;
}

/** Offers of a region's products, and the promotions that describe them. */
export function createOffers({ seed, share, early, lastingDays }: OfferRates) {
  function spellOf(group: number, day: number): Spell {
    const draw = hash(seed, 401, group);
    const length = draw % 2 === 0 ? 14 : 21;
    // 1970-01-06 was a Tuesday.
    const shift = 7 * ((draw >>> 3) % 3) - ((draw >>> 8) % 4 === 0 ? 5 : 6);
    const index = Math.floor((day + shift) / length);
    const startDay = index * length - shift;
    return spellFrom(group, index, startDay, startDay + length);
  }

  function spellFrom(group: number, index: number, startDay: number, endDay: number): Spell {
    const draw = hash(seed, 404, group, index);
    const chance = share / takingPart;
    const isOffering = happens(chance * busiest, draw) && happens(chance * eventFactor(startDay), draw);
    return { group, index, startDay, endDay, isOffering };
  }

  const isOffered = (slot: number, { isOffering, index }: Spell): boolean =>
    isOffering && happens(takingPart, hash(seed, 405, slot, index));

  const wasOffered = (slot: number, { group, index, startDay, endDay }: Spell): boolean =>
    isOffered(slot, spellFrom(group, index - 1, 2 * startDay - endDay, startDay));

  function offerOf(slot: number, spell: Spell, isSteady: boolean): Offer | null {
    if (!isOffered(slot, spell)) return null;
    const { group, index } = spell;
    const family = hash(seed, 407, group, index) % 100;
    const own = hash(seed, 411, slot, index);
    if (family < (isSteady ? 64 : 54)) {
      const isRaised = own % 12 === 0 && !isSteady && !wasOffered(slot, spell);
      return { ...spell, kind: 'price', factor: isRaised ? raised : 1 };
    }
    return family < 64 ? { ...spell, kind: 'cut', factor: pick(cuts, own) } : { ...spell, kind: 'deal', factor: 1 };
  }

  return {
    spellOf,
    isOffered,
    wasOffered,
    offerOf,
    /** The offer after a spell, if it is listed on the day or has raised the shelf price. */
    nextOffer(slot: number, { group, index, startDay, endDay }: Spell, day: number, isSteady: boolean) {
      const days = endDay - day;
      if (days > raisedDays) return null;
      const offer = offerOf(slot, spellFrom(group, index + 1, endDay, endDay + endDay - startDay), isSteady);
      if (!offer) return null;
      const isListed = days <= 2 && happens(early, hash(seed, 403, group, index + 1));
      return isListed || offer.factor > 1 ? { offer, isListed } : null;
    },
    /** Promotions of an offer. `regular`: the product's price without it. */
    promotionsOf(offer: Offer, slot: number, regular: number, product: PromotedProduct): readonly Promotion[] {
      const { group, index } = offer;
      const dates = hash(seed, 406, group, index) % 16;
      const startDay = dates === 0 ? null : offer.startDay;
      const endDay = dates === 1 ? null : offer.endDay + lastingDays;
      const own = hash(seed, 409, slot, index);
      const deal = groupDeal(product, hash(seed, 408, group, index) % 100, hash(seed, 410, group, index));
      const first =
        offer.kind === 'cut' && product.pack.priced === 'pack'
          ? ordinaryCut(product, regular, own)
          : ((offer.kind === 'deal' ? deal : null) ?? loyaltyPrice(product, own));
      const isSecond =
        deal !== null && deal !== first && own % 100 < 6 && saves(deal, first.loyaltyPriceMinor ?? product.base);
      return (isSecond ? [first, deal] : [first]).map((meaning) => ({ ...meaning, startDay, endDay }));
    },
  };
}

/** Price of a product in an offer. */
export function priceInOffer({ factor }: Offer, regular: number): number {
  if (factor === 1) return regular;
  return factor > 1 ? rounded(regular * factor) : Math.min(regular, rounded(regular * factor));
}

/** Whether a deal saves 5 to 35% of a price; all other promotions do. */
export function saves({ quantity, dealPriceMinor }: PromotionMeaning, price: number): boolean {
  const share = dealPriceMinor === null || quantity === null ? 0.8 : dealPriceMinor / (quantity * price);
  return share >= 0.65 && share <= 0.95;
}

/** Whether a promotion is in effect on a local day. */
export function isInEffect({ startDay, endDay }: Promotion, day: number): boolean {
  return (startDay === null || startDay <= day) && (endDay === null || day < endDay);
}

/** Share of products that take part in a group's promotion. */
const takingPart = 0.75;
/** A few prices are raised before the offer, so that its saving is not real. */
const raised = 1.12;
const raisedDays = 14;
const cuts = [0.9, 0.85, 0.8, 0.8, 0.75, 0.75, 2 / 3];

/** So much more is on offer in the end before Christmas and Easter, and gradually more in the weeks before. */
const busiest = 2.2;

const eventFactor = byDay((startDay) => {
  const middle = startDay + 9;
  const year = yearOf(middle);
  const rise = (daysLeft: number, from: number) => (daysLeft < 0 ? 0 : Math.max(0, 1 - daysLeft / from));
  const nearest = Math.max(rise(dayOf(`${year}-12-25`) - middle, 42), rise(easterOf(year) - middle, 28));
  return 1 + (busiest - 1) * nearest;
});
