import { z } from 'zod';
import type { ListedProduct, Region, Rejection } from '../../base/model/index.ts';
import { isUnreadableGtin, normaliseGtin, normaliseTpnb } from '../normalise/barcode.ts';
import { readCatchWeight } from '../normalise/catch-weight.ts';
import { readCharges } from '../normalise/charges.ts';
import { readImageUrl } from '../normalise/image.ts';
import { productIdFrom } from '../normalise/product-id.ts';
import { readLabel, readTitle } from '../normalise/text.ts';
import { readBreadcrumb } from './breadcrumb.ts';
import { type ReportField, readElements, reportFields } from './elements.ts';
import { readListedPrice } from './listed-price.ts';
import { budgetOfPage, type PromotionBudget, readPromotions } from './product-promotions.ts';
import { chooseOffer, type Offer } from './seller.ts';

/**
 * Distinct products of a list of elements in the vendor's or the supermarket's own form (`brand` or `brandName`, `tpnb`
 * or `baseProductId` …), in page order; the first occurrence is kept. Elements without an id are rejected; unreadable
 * fields are null and reported; null elements are skipped.
 */
export function readListedProducts(
  list: readonly unknown[],
  region: Region,
  path: string,
  rejected: Rejection[],
): readonly ListedProduct[] {
  const products = new Map<string, ListedProduct>();
  const budget = budgetOfPage();
  for (const [index, element] of readElements(ListedElement, list, path, rejected, isListedElement).entries()) {
    if (element === null) continue;
    const place = `${path}[${index}]`;
    const product = toProduct(element, region, place, rejected, budget);
    if (typeof product === 'string') rejected.push({ path: place, reason: product, value: list[index] });
    else if (!products.has(product.productId)) products.set(product.productId, product);
  }
  return [...products.values()];
}

const Id = z.union([z.string(), z.number()]).nullish();

/** Fields are parsed one by one, so that a bad field does not reject the product. */
const ListedElement = z.looseObject({ id: Id, tpnc: Id }).nullable();

type Element = NonNullable<z.output<typeof ListedElement>>;

/** Recognises what almost all elements are. */
function isListedElement(value: unknown): value is Element {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { id, tpnc } = value as Element;
  return typeof id === 'string' && (typeof tpnc === 'string' || tpnc === null || tpnc === undefined);
}

/** The product, or the reason for rejecting it. */
function toProduct(
  element: Element,
  region: Region,
  path: string,
  rejected: Rejection[],
  budget: PromotionBudget,
): ListedProduct | string {
  const productId = productIdFrom(element.id ?? element.tpnc);
  if (productId === null) return (element.id ?? element.tpnc) == null ? 'id: missing' : 'id: not a product id';
  const report = reportFields(path, rejected);
  const offer = chooseOffer(element['sellers']);
  const price = readListedPrice(element, offer, report);
  const { charges, depositMinor } = readCharges(element['charges']);
  return {
    productId,
    tpnb: normaliseTpnb(element['tpnb'] ?? element['baseProductId']),
    gtin: readGtin(element['gtin'], report),
    title: readText('title', element['title'], readTitle, report),
    brand: readText('brand', element['brand'] ?? element['brandName'], readLabel, report),
    imageUrl: readImageUrl(element['imageUrl'] ?? element['defaultImageUrl']),
    isForSale: isForSaleOf(element, report),
    priceMinor: price.priceMinor,
    unitPrice: price.unitPrice,
    unitOfMeasure: price.unitOfMeasure,
    seller: offer?.seller ?? null,
    catchWeightGrams: readCatchWeight(element['catchWeightList']),
    charges,
    depositMinor,
    promotions: readPromotions(promotionsOf(element, offer, report), region, `${path}.promotions`, rejected, budget),
    breadcrumb: readBreadcrumb(element),
  };
}

/** Reads a text that may be missing, except a title. */
function readText(
  field: string,
  value: unknown,
  read: (value: unknown) => string | null,
  report: ReportField,
): string | null {
  const text = read(value);
  const isMissing = value === null || value === undefined || value === '';
  if (text === null && (field === 'title' || !isMissing)) report(field, isMissing ? 'missing' : 'not a text', value);
  return text;
}

/** Reads a barcode and reports an invalid one. */
export function readGtin(value: unknown, report: ReportField): string | null {
  if (isUnreadableGtin(value)) report('gtin', 'not a barcode', value);
  return normaliseGtin(value);
}

/**
 * A status that means "not for sale" overrides the flag; without a flag only the status for "available" counts. Null:
 * unknown.
 */
function isForSaleOf({ isForSale, status }: Element, report: ReportField): boolean | null {
  if (typeof status === 'string' && /^(?:Unavailable|ExcludedProduct|ProductNotFound)$/i.test(status)) return false;
  if (typeof isForSale === 'boolean') return isForSale;
  if (isForSale == null && typeof status === 'string') return status === 'AvailableForSale';
  report('isForSale', isForSale == null ? 'missing' : 'neither true nor false', isForSale);
  return null;
}

/** Promotions of the seller's offer, or of the product itself. */
function promotionsOf({ promotions }: Element, offer: Offer | null, report: ReportField): readonly unknown[] {
  if (Array.isArray(offer?.promotions) && offer.promotions.length > 0) return offer.promotions;
  if (promotions === null || promotions === undefined) return [];
  if (Array.isArray(promotions)) return promotions;
  report('promotions', 'not a list', promotions);
  return [];
}
