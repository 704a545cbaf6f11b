import type { RegionCode } from '../base/model/index.ts';
import { addressedProduct } from './named-product.ts';
import { type Sql, sql } from './sql.ts';

/** Order of found products: the best match first, among equal ones those for sale, the shortest title first. */
export const bestFirst = sql`found.relevance desc, n.availability <> 'available', length(n.title), n.title,
  n.product_key`;

interface Wanted {
  /** The products that are meant, as a table with `product_key` and `relevance`: the higher, the better they match. */
  readonly found: Sql;
  readonly region: RegionCode;
}

/**
 * Parses user input: address of a product, id, barcode, or beginnings of words in title and brand. An address with a
 * country overrides the chosen region.
 */
export function readWanted(text: string, chosen: RegionCode): Wanted {
  const address = addressedProduct(text);
  if (address) {
    const region = address.region ?? chosen;
    return {
      found: sql`(
            select now.product_key, 12 as relevance from marts.product_now now
            where now.region = ${region} and now.product_id = ${address.id})`,
      region,
    };
  }
  // Pasted tags are no words.
  const plain = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const words = isBarcode(plain) ? plain.replace(/[ -]/g, '').replace(/^0+/, '') : plain;
  return { found: sql`marts.find_products(${chosen}, ${words})`, region: chosen };
}

/**
 * Whether the text is a printed barcode, possibly in groups. Stored barcodes have 14 digits with leading zeros, which
 * may be omitted.
 */
function isBarcode(text: string): boolean {
  return (
    /^0+\d+$/.test(text) || (/^\d[\d -]*\d$/.test(text) && [8, 12, 13, 14].includes(text.replace(/\D/g, '').length))
  );
}
