import { UsageInvalid } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Ask } from './question.ts';
import { allOf, sql } from './sql.ts';

/** The part of a product's address that names its country. */
const regionOfLocale: Readonly<Record<string, RegionCode>> = { 'en-gb': 'uk', 'en-ie': 'ie' };

/** The product that an address names, its region null where the address does not say it; null for another text. */
export function addressedProduct(text: string) {
  const [, locale = '', id] =
    /^(?:https?:\/\/[^\s/]+|[\w-]+(?:\.[\w-]+)+)(?=\/)\S*?(?:\/([a-z]{2}-[a-z]{2})(?=\/)\S*?)?\/products\/([\w-]+)/i.exec(
      text,
    ) ?? [];
  return id === undefined ? null : { id, region: regionOfLocale[locale.toLowerCase()] ?? null };
}

/**
 * The same. Throws `UsageInvalid` for the address of something else, and for one of another region than the one asked
 * about.
 */
export function readProductAddress(text: string, asked: RegionCode | null) {
  const addressed = addressedProduct(text);
  if (addressed === null && /^https?:\/\//i.test(text))
    throw new UsageInvalid(`${text} is not the address of a product: that ends with /products/ID.`);
  if (asked !== null && addressed && (addressed.region ?? asked) !== asked)
    throw new UsageInvalid(`${text} is a product of ${addressed.region}, not of ${asked}.`);
  return addressed && { id: addressed.id, region: addressed.region ?? asked };
}

/**
 * Id and region of a product named by its id or by the address of its page; the region stays unknown where neither says
 * it.
 */
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
