import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { RegionCode } from '../../model/index.ts';
import { readProductAddress } from './product-address.ts';

/** What `--product` takes, in the words of `--help`. */
export const productForms = 'its id, or the address of its page';

/** The product that `--product` names, and the region it is of as far as that is said. */
export function readProductOption<Region extends RegionCode | null>(
  named: string | undefined,
  region: Region,
): { product: string | null; region: Region | RegionCode } {
  const text = named?.trim();
  const addressed = text === undefined ? null : readProductAddress(text, region);
  return addressed === null
    ? { product: text ?? null, region }
    : { product: addressed.id, region: addressed.region ?? region };
}

/** Why nothing is told of a product: the book has none of that id. null: it has one. */
export async function unknownProduct(sql: Askable, region: RegionCode | null, product: string): Promise<string | null> {
  const known = await rowsOf(
    sql,
    'select from marts.dim_product where product_id = $1 and ($2::text is null or region = $2) limit 1',
    [product, region],
  );
  if (known.length > 0) return null;
  return `The book has no product${region === null ? '' : ` of ${region}`} with the id ${product}; \`pricebook product ${region ?? 'uk'} …\` finds one by its barcode or words of its title.`;
}
