import { hash } from 'node:crypto';
import type { ListedProduct, ProductDetail, Promotion } from '../../base/model/index.ts';

/** 16 bytes of sha256, written as the uuid type that keeps them. */
export function hash16(fields: unknown): string {
  const hex = hash('sha256', JSON.stringify(fields));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Identity of a promotion: the upstream gives it no id, so its text, type and dates are it. */
export function promotionHash(promotion: Promotion): string {
  const { description, offerType, startsAt, endsAt } = promotion;
  return hash16([description, offerType, startsAt?.toISOString() ?? null, endsAt?.toISOString() ?? null]);
}

/**
 * Of everything we keep of a listing. Equal hashes mean there is nothing to write, so a change in what a field
 * *means* to us needs the version raised; order of promotions and representation of numbers do not count.
 */
export function listingHash(product: ListedProduct, promotionHashes: readonly string[]): string {
  return hash16([
    1,
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
  ]);
}

/** Of everything we keep of a product's details. */
export function detailHash(detail: ProductDetail): string {
  return hash16([
    1,
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
  ]);
}
