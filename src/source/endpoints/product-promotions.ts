import type { Promotion, Region, Rejection } from '../../base/model/index.ts';
import { readPromotionInstant } from '../normalise/promotion-date.ts';
import { loyaltyOfferType, readPromotionText } from '../normalise/promotion-text.ts';
import { readLabel } from '../normalise/text.ts';

/**
 * The promotions of one product, distinct, in payload order. One without a text says nothing and is rejected; the offer
 * type is `offerType` in the vendor's form and among `attributes` in the supermarket's own.
 */
export function readPromotions(
  list: readonly unknown[],
  region: Region,
  path: string,
  rejected: Rejection[],
): readonly Promotion[] {
  if (list.length === 0) return none;
  const promotions: Promotion[] = [];
  for (const [index, element] of list.entries()) {
    if (element === null) continue;
    if (index >= mostPromotions) {
      rejected.push({ path, reason: `promotions: more than ${mostPromotions}`, value: list.length, isPart: true });
      break;
    }
    const promotion = readPromotion(element, region);
    if (promotion === null) {
      rejected.push({ path: `${path}[${index}]`, reason: 'promotion: no description', value: element, isPart: true });
    } else if (!promotions.some((other) => isSame(other, promotion))) {
      promotions.push(promotion);
    }
  }
  return promotions;
}

/** A product has three at most; each is compared with all before it. */
const mostPromotions = 100;

const none: readonly Promotion[] = Object.freeze([]);

function readPromotion(element: unknown, region: Region): Promotion | null {
  if (typeof element !== 'object' || element === null) return null;
  const promotion = element as Record<string, unknown>;
  const description = readLabel(promotion['description']);
  if (description === null) return null;
  const offerType = offerTypeOf(promotion);
  return {
    ...readPromotionText(description, offerType, region.currency),
    description,
    offerType,
    startsAt: readPromotionInstant(promotion['startDate']),
    endsAt: readPromotionInstant(promotion['endDate']),
  };
}

function offerTypeOf({ offerType, attributes, promotionType }: Record<string, unknown>): string | null {
  const given = readLabel(offerType);
  if (given !== null) return given;
  if (Array.isArray(attributes) && attributes.includes(loyaltyOfferType)) return loyaltyOfferType;
  return readLabel(promotionType);
}

function isSame(one: Promotion, other: Promotion): boolean {
  return (
    one.description === other.description &&
    one.offerType === other.offerType &&
    one.startsAt?.getTime() === other.startsAt?.getTime() &&
    one.endsAt?.getTime() === other.endsAt?.getTime()
  );
}
