import { z } from 'zod';
import type { ListedProduct, Region, Rejection } from '../../base/model/index.ts';
import { normaliseGtin, normaliseTpnb } from '../normalise/barcode.ts';
import { readImageUrl } from '../normalise/image.ts';
import { productIdFrom } from '../normalise/product-id.ts';
import { readLabel, readTitle } from '../normalise/text.ts';
import { readBreadcrumb } from './breadcrumb.ts';
import { readElements } from './elements.ts';
import { firstSeller, readListedPrice } from './listed-price.ts';
import { readPromotions } from './product-promotions.ts';

interface ListedProducts {
  /** Distinct by product id, in page order, the first observation kept. */
  readonly products: readonly ListedProduct[];
  readonly repeats: number;
}

/**
 * The products of a list of elements in the vendor's form or the supermarket's own (`brand` or `brandName`, `tpnb` or
 * `baseProductId` …). An element without id, title, price or the word whether it is for sale, or with one of them in an
 * unknown form, is rejected under its place in the list; null elements are skipped.
 */
export function readListedProducts(
  list: readonly unknown[],
  region: Region,
  path: string,
  rejected: Rejection[],
): ListedProducts {
  const products: ListedProduct[] = [];
  const seen = new Set<string>();
  let repeats = 0;
  for (const [index, element] of readElements(ListedElement, ListedElements, list, path, rejected).entries()) {
    if (element === null) continue;
    const place = `${path}[${index}]`;
    const product = toProduct(element, region, place, rejected);
    if (typeof product === 'string') {
      rejected.push({ path: place, reason: product, value: list[index] });
    } else if (seen.has(product.productId)) {
      repeats += 1;
    } else {
      seen.add(product.productId);
      products.push(product);
    }
  }
  return { products, repeats };
}

const Id = z.union([z.string(), z.number()]).nullish();
const Anything = z.unknown().optional();

/** What we ask of an element before looking into it; prices and promotions are read where they turn out to be. */
const ListedElement = z
  .object({
    id: Id,
    tpnc: Id,
    tpnb: Id,
    baseProductId: Id,
    gtin: Id,
    title: z.string(),
    brand: Anything,
    brandName: Anything,
    imageUrl: Anything,
    defaultImageUrl: Anything,
    isForSale: z.boolean().nullish(),
    status: z.string().nullish(),
    price: Anything,
    unitPrice: Anything,
    unitOfMeasure: Anything,
    sellers: Anything,
    promotions: z.array(z.unknown()).nullish(),
    categoryBreadcrumbs: Anything,
    superDepartmentId: Anything,
    superDepartmentName: Anything,
    departmentId: Anything,
    departmentName: Anything,
    aisleId: Anything,
    aisleName: Anything,
    shelfId: Anything,
    shelfName: Anything,
  })
  .nullable();
const ListedElements = z.array(ListedElement);

type Element = NonNullable<z.output<typeof ListedElement>>;

/** The product, or the reason why it is none. */
function toProduct(element: Element, region: Region, path: string, rejected: Rejection[]): ListedProduct | string {
  const productId = productIdFrom(element.id ?? element.tpnc);
  if (productId === null) return (element.id ?? element.tpnc) == null ? 'id: missing' : 'id: not a product id';
  const title = readTitle(element.title);
  if (title === null) return 'title: empty';
  const isForSale = isForSaleOf(element);
  if (isForSale === null) return 'isForSale: missing';
  const price = readListedPrice(element);
  if (typeof price === 'string') return price;
  return {
    productId,
    tpnb: normaliseTpnb(element.tpnb ?? element.baseProductId),
    gtin: normaliseGtin(element.gtin),
    title,
    brand: readLabel(element.brand ?? element.brandName),
    imageUrl: readImageUrl(element.imageUrl ?? element.defaultImageUrl),
    isForSale,
    priceMinor: price.priceMinor,
    unitPrice: price.unitPrice,
    unitOfMeasure: price.unitOfMeasure,
    promotions: readPromotions(promotionsOf(element), region, `${path}.promotions`, rejected),
    breadcrumb: readBreadcrumb(element),
  };
}

/**
 * A state that says no outweighs the flag, which is about the catalogue; without a flag only the one state that says
 * yes counts.
 */
function isForSaleOf({ isForSale, status }: Element): boolean | null {
  if (status != null && /^(?:Unavailable|ExcludedProduct|ProductNotFound)$/i.test(status)) return false;
  return isForSale ?? (status == null ? null : status === 'AvailableForSale');
}

/** Beside the price under `sellers`, or at the product itself. */
function promotionsOf({ sellers, promotions }: Element): readonly unknown[] {
  if (typeof sellers === 'object' && sellers !== null) {
    const { results } = sellers as { results?: unknown };
    const offered = Array.isArray(results)
      ? (firstSeller(results) as { promotions?: unknown } | undefined)?.promotions
      : undefined;
    if (Array.isArray(offered) && offered.length > 0) return offered;
  }
  return promotions ?? [];
}
