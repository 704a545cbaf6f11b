import type { RegionCode } from '../model/index.ts';
import { readProductAddress } from './product-address.ts';
import type { Ask } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Id and region of a product named by its id or by the address of its page; the region stays unknown where neither says it. */
export function readNamedProduct(named: string, region: RegionCode | undefined) {
  const addressed = readProductAddress(named, region ?? null);
  return { product: addressed?.id ?? named, region: addressed?.region ?? region };
}

/** A message that no product has the id; null when one has. */
export async function unknownProduct(
  ask: Ask,
  region: RegionCode | undefined,
  product: string,
): Promise<string | null> {
  const { rows } = await ask(sql`
    select from marts.dim_product
    where product_id = ${product} and ${allOf(region !== undefined && sql`region = ${region}`)}
    limit 1`);
  if (rows.length > 0) return null;
  return `The book has no product${region === undefined ? '' : ` of ${region}`} with the id ${product}; \`pricebook product ${region ?? 'uk'} …\` finds one by its barcode or words of its title.`;
}
