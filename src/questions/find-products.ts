import type { RegionCode } from '../base/model/index.ts';
import { addressedProduct } from './named-product.ts';
import { type Sql, sql } from './sql.ts';

interface Wanted {
  /** Condition on `marts.product_now n`. */
  readonly condition: Sql;
  readonly region: RegionCode;
}

/**
 * Parses user input: address of a product, id, barcode, or beginnings of words in title and brand. An address with a
 * country overrides the chosen region.
 */
export function readWanted(text: string, chosen: RegionCode): Wanted {
  const address = addressedProduct(text);
  if (address) return { condition: sql`n.product_id = ${address.id}`, region: address.region ?? chosen };
  const words = isBarcode(text) ? text.replace(/[ -]/g, '').replace(/^0+/, '') : text;
  return {
    condition: sql`n.product_key in (select found.product_key from marts.find_products(${chosen}, ${words}) found)`,
    region: chosen,
  };
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
