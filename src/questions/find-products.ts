import type { RegionCode } from '../base/model/index.ts';
import { addressedProduct } from './named-product.ts';
import { type Sql, sql } from './sql.ts';

interface Wanted {
  /** Which products of `marts.product_now n` are meant. */
  readonly condition: Sql;
  readonly region: RegionCode;
}

/**
 * What a person typed or pasted: the address of a product, an id, a barcode, or words of title and brand, each of which
 * may be the beginning of one. An address that names a country is of its region, whatever region was chosen.
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
 * Digits as they are printed, in groups or not. Barcodes are kept in fourteen and found without the zeros that fill
 * them up.
 */
function isBarcode(text: string): boolean {
  return (
    /^0+\d+$/.test(text) || (/^\d[\d -]*\d$/.test(text) && [8, 12, 13, 14].includes(text.replace(/\D/g, '').length))
  );
}
