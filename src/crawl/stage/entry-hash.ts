import { hash } from 'node:crypto';
import type { ListedProduct, ProductDetail, Promotion } from '../../base/model/index.ts';
import { packTitleVersion } from '../../source/normalise/pack-title.ts';

/** The first 16 bytes of a sha256, formatted as a uuid, the type that stores them. */
export function hash16(fields: unknown): string {
  const hex = hash('sha256', JSON.stringify(fields));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Identity of a promotion: its text, type and dates, because the upstream gives it no id. */
export function promotionHash(promotion: Promotion): string {
  const { description, offerType, startsAt, endsAt } = promotion;
  return hash16([description, offerType, startsAt?.toISOString() ?? null, endsAt?.toISOString() ?? null]);
}

/**
 * Raised when a stored field means something else although its value is the same: the next night then writes all
 * products again.
 */
const entryVersion = 1;
const detailVersion = 1;

/**
 * Hash of all stored fields of a product's entry on a category page. Equal hashes mean that nothing has to be written.
 * The order of promotions does not matter.
 */
export function entryHash(product: ListedProduct, promotionHashes: readonly string[]): string {
  return hash16([
    entryVersion,
    packTitleVersion,
    product.title,
    product.brand,
    product.tpnb,
    product.gtin,
    product.imageUrl,
    product.isForSale,
    product.priceMinor,
    product.unitPrice,
    product.unitOfMeasure,
    product.seller,
    product.catchWeightGrams,
    product.charges,
    product.depositMinor,
    product.breadcrumb.at(-1) ?? null,
    ...promotionHashes,
    ...(product.extra ? [product.extra] : []),
  ]);
}

/** Hash of all stored fields of a product's details. */
export function detailHash(detail: ProductDetail): string {
  return hash16([
    detailVersion,
    detail.description,
    detail.ingredients,
    detail.allergens,
    detail.packSize,
    detail.packMeasure,
    detail.packCount,
    detail.storage,
    detail.productType,
    detail.status,
    detail.gtin,
    detail.breadcrumb.at(-1) ?? null,
    detail.catchWeightGrams,
    detail.charges,
    detail.depositMinor,
    detail.nutrition.map((n) => [n.nutrient, n.basis, n.amount, n.unit, n.isUpperBound, n.printed]),
    ...(detail.extra ? [detail.extra] : []),
  ]);
}
