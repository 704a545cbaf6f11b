import { midnightOf } from './calendar.ts';
import { decimal } from './price.ts';
import type { Product } from './product.ts';
import type { Promotion } from './promotion.ts';
import type { TaxonomyNode } from './taxonomy.ts';

/** Additional JSON members, written after the others: `,"adId":"…"`. */
export type Extra = string;

/** The vendor's `Product` of search and UK category pages. String concatenation, because it is the hot path. */
export function ukProduct(product: Product, extra: Extra = ''): string {
  const { productId, tpnb, gtin, title, brand, isForSale, imageUrl, leaf, promotions } = product;
  const reviews =
    product.rating === null && product.reviewCount === 0 && product.slot % 2 === 0
      ? 'null'
      : `{"averageRating":${rating(product)},"reviewCount":${product.reviewCount}}`;
  return (
    `{"id":"${productId}","tpnb":"${tpnb}","gtin":${gtin === null ? 'null' : `"${gtin}"`},` +
    `"title":${JSON.stringify(title)},"brand":${brand === null ? 'null' : JSON.stringify(brand)},` +
    `"isForSale":${isForSale},"imageUrl":"${imageUrl}?h=225&w=225","price":${priceOf(product)},` +
    `"promotions":[${promotions.map(ukPromotion).join(',')}],` +
    `"reviews":${reviews},"categoryBreadcrumbs":${breadcrumbs(leaf)}${extra}}`
  );
}

/** Node as passed through by Irish pages: the shop is the only one of `sellers`, with prices and promotions. */
export function ieNode(product: Product, extra: Extra = ''): string {
  const price = priceOf(product, (one) => `"price":${one},"actual":${one}`);
  return (
    `{"__typename":"${typeOf(product)}",${ieIdentity(product)},` +
    `"sellers":{"results":[{"id":"1","name":"Tesco","isForSale":${product.isForSale},` +
    `"price":${price},` +
    `"promotions":[${product.promotions.map((promotion) => iePromotion(promotion, product)).join(',')}]}]}${extra}}`
  );
}

/** Older Irish form: `{product, promotions}` with flat prices. */
export function iePair(product: Product, extra: Extra = ''): string {
  return (
    `{"product":{"__typename":"${typeOf(product)}",${ieIdentity(product)},` +
    `"price":${amount(product.priceMinor)},${unitPriceOf(product)}},` +
    `"promotions":[${product.promotions.map((promotion) => iePromotion(promotion, product)).join(',')}]${extra}}`
  );
}

const typeOf = ({ article }: Product) => (article.goods.kind === 'marketplace' ? 'MPProduct' : 'ProductType');

/** A promotion in the upstream's form. `afterDiscount` repeats the shelf price, as it does there. */
export function iePromotion(promotion: Promotion, { productId, priceMinor }: Product): string {
  const attributes = promotion.offerType === null ? '[]' : `["${promotion.offerType}"]`;
  return (
    `{"id":"${Number(productId) % 90_000_000}${promotion.startDay ?? 0}",` +
    `"promotionType":"${promotion.quantity === null ? 3 : 12}","startDate":${instant(promotion.startDay)},` +
    `"endDate":${instant(promotion.endDay)},"description":${JSON.stringify(promotion.description)},` +
    `"unitSellingInfo":"","price":{"beforeDiscount":null,"afterDiscount":${amount(priceMinor)}},` +
    `"attributes":${attributes},"qualities":[]}`
  );
}

/** Text about a category that is written once. */
function oncePerPath(write: (path: TaxonomyNode['path']) => string) {
  const written = new WeakMap<object, string>();
  return ({ path }: TaxonomyNode): string => {
    const line = written.get(path) ?? write(path);
    written.set(path, line);
    return line;
  };
}

/** `superDepartmentId` to `shelfName` of a product's shelf; null for aisles without shelves. */
const ancestry = oncePerPath((path) =>
  ['superDepartment', 'department', 'aisle', 'shelf']
    .map((label, at) => `"${label}Id":${text(path[at]?.id ?? null)},"${label}Name":${text(path[at]?.name ?? null)}`)
    .join(','),
);

const breadcrumbs = oncePerPath((path) => JSON.stringify(path.map(({ id, name }, level) => ({ id, name, level }))));

/** JSON number in major units, or `null`. */
export function amount(minor: number | null): string {
  return minor === null ? 'null' : decimal(minor);
}

/** JSON string, or `null`. */
export function text(value: string | null): string {
  return value === null ? 'null' : JSON.stringify(value);
}

/** Members that an Irish node has in common with a product's own page. */
export function ieIdentity(
  product: Product,
  { status = statusOf(product), image = `"${product.imageUrl}?h=225&w=225"` } = {},
): string {
  const { productId, tpnb, gtin, title, brand, leaf } = product;
  const padded = product.slot % 5 === 0 ? tpnb.padStart(9, '0') : tpnb;
  return (
    `"id":"${productId}","tpnc":"${productId}",` +
    `"tpnb":"${padded}","baseProductId":"${padded}","gtin":${text(gtin)},"title":${JSON.stringify(title)},` +
    `"brandName":${text(brand)},"shortDescription":null,` +
    `"defaultImageUrl":${image},${ancestry(leaf)},` +
    `"displayType":"${product.pack.priced === 'pack' ? 'Quantity' : 'QuantityOrWeight'}",` +
    `"productType":"${product.pack.priced === 'kg' ? 'LooseProduce' : 'SingleProduct'}",` +
    `"averageWeight":${product.pack.priced === 'kg' ? product.pack.amount / 1000 : 'null'},"bulkBuyLimit":99,` +
    `"isForSale":${status === forSale},"status":"${status}","restrictions":[],"charges":[],` +
    `"reviews":{"stats":{"noOfReviews":${product.reviewCount},"overallRating":${rating(product)}}}`
  );
}

const forSale = 'AvailableForSale';

/** The upstream's status of a product. */
function statusOf({ isForSale, priceMinor }: Product): string {
  if (isForSale) return forSale;
  return priceMinor === null ? 'Unavailable' : 'ExcludedProduct';
}

function rating(product: Product): string {
  return product.rating === null ? 'null' : String(product.rating / 10);
}

/** Null for the whole price or for its fields: both occur upstream. */
function priceOf(product: Product, fields = (price: string) => `"price":${price}`): string {
  if (product.priceMinor === null && product.slot % 2 === 0) return 'null';
  return `{${fields(amount(product.priceMinor))},${unitPriceOf(product)}}`;
}

/** Members with the price of a unit. */
export function unitPriceOf({ unitPriceMinor, unitOfMeasure }: Product): string {
  return `"unitPrice":${amount(unitPriceMinor)},"unitOfMeasure":${text(unitOfMeasure)}`;
}

function ukPromotion({ description, offerType, startDay, endDay }: Promotion): string {
  return (
    `{"description":${JSON.stringify(description)},"offerType":${text(offerType)},"startDate":${instant(startDay)},` +
    `"endDate":${instant(endDay)}}`
  );
}

function instant(day: number | null): string {
  return day === null ? 'null' : `"${midnightOf(day)}"`;
}
