import { z } from 'zod';
import type { Promotion, Region, Rejection } from '../../base/model/index.ts';
import { loyaltyOfferType, readPromotionText, unknownPromotion } from '../normalise/promotion-text.ts';
import { readLabel } from '../normalise/text.ts';

/** Remaining parsing budget of a page, so that no page blocks the process for long. */
export interface PromotionBudget {
  promotions: number;
  /** Remaining number of characters; repeated texts count once. */
  characters: number;
  readonly texts: Set<string>;
}

/** A page of 50 products has 150 promotions of 30 characters, most of them the same. */
export const budgetOfPage = (): PromotionBudget => ({ promotions: 2_000, characters: 15_000, texts: new Set() });

/**
 * Distinct promotions of a product in payload order. A promotion without text is rejected. The offer type is
 * `offerType` in the vendor's form, or among `attributes` in the supermarket's own. Texts beyond the page's budget are
 * `unknown`.
 */
export function readPromotions(
  list: readonly unknown[],
  region: Region,
  path: string,
  rejected: Rejection[],
  budget: PromotionBudget,
): readonly Promotion[] {
  if (list.length === 0) return none;
  const promotions: Promotion[] = [];
  for (const [index, element] of list.entries()) {
    if (element === null) continue;
    const beyond = limitMet(index, budget);
    if (beyond !== null) {
      rejected.push({ path, reason: `promotions: more than ${beyond}`, value: list.length, isPart: true });
      break;
    }
    budget.promotions -= 1;
    const promotion = readPromotion(element, region, budget);
    if (promotion === null) {
      rejected.push({ path: `${path}[${index}]`, reason: 'promotion: no description', value: element, isPart: true });
    } else if (!promotions.some((other) => isSame(other, promotion))) {
      promotions.push(promotion);
    }
  }
  return promotions;
}

/** Real products have at most three; limited because each is compared with all before it. */
const maxPromotions = 20;

function limitMet(index: number, { promotions }: PromotionBudget): string | null {
  if (index >= maxPromotions) return String(maxPromotions);
  return promotions <= 0 ? 'a page can have' : null;
}

const none: readonly Promotion[] = Object.freeze([]);

function readPromotion(element: unknown, region: Region, budget: PromotionBudget): Promotion | null {
  if (typeof element !== 'object' || element === null) return null;
  const promotion = element as Record<string, unknown>;
  const description = readLabel(promotion['description']);
  if (description === null) return null;
  const offerType = offerTypeOf(promotion);
  const isReadable = mayRead(description, budget);
  return {
    get meaning() {
      return isReadable ? readPromotionText(description, offerType, region.currency) : unknownPromotion;
    },
    description,
    offerType,
    startsAt: instantOf(promotion['startDate']),
    endsAt: instantOf(promotion['endDate']),
  };
}

const Instant = z.iso.datetime({ offset: true });

/** An instant with its offset, such as `2025-09-21T23:00:00Z`; null for other values and years before 1970. */
export function instantOf(value: unknown): Date | null {
  const { data } = Instant.safeParse(value);
  return data === undefined || data < '1970' ? null : new Date(data);
}

function mayRead(text: string, budget: PromotionBudget): boolean {
  if (budget.texts.has(text)) return true;
  if (text.length > budget.characters) return false;
  budget.characters -= text.length;
  budget.texts.add(text);
  return true;
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
