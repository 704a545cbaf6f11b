import { UsageInvalid } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Ask } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Region by the locale in a product's address. */
const regionOfLocale: Readonly<Record<string, RegionCode>> = { 'en-gb': 'uk', 'en-ie': 'ie' };

const productAddress =
  /^(?:https?:\/\/[^\s/]+|[\w-]+(?:\.[\w-]+)+)(?=\/)\S*?(?:\/([a-z]{2}-[a-z]{2})(?=\/)\S*?)?\/products\/([\w-]+)/i;

/**
 * Id and region of a product's address; region null if the address has no country. Null: the text is not a product's
 * address.
 */
export function addressedProduct(text: string) {
  const [, locale = '', id] = productAddress.exec(text) ?? [];
  return id === undefined ? null : { id, region: regionOfLocale[locale.toLowerCase()] ?? null };
}

/** As `addressedProduct`. Throws `UsageInvalid` for other addresses and for addresses of another region. */
export function readProductAddress(text: string, asked: RegionCode | null) {
  const addressed = addressedProduct(text);
  if (addressed === null && /^https?:\/\//i.test(text))
    throw new UsageInvalid(`${text} is not the address of a product; such an address ends with /products/ID.`);
  if (asked !== null && addressed && (addressed.region ?? asked) !== asked)
    throw new UsageInvalid(`${text} is a product of ${addressed.region}, not of ${asked}.`);
  return addressed && { id: addressed.id, region: addressed.region ?? asked };
}

/** Id and region of a product given by id or address; the region stays undefined if neither contains it. */
export function readNamedProduct(named: string, region: RegionCode | undefined) {
  const addressed = readProductAddress(named, region ?? null);
  return { product: addressed?.id ?? named, region: addressed?.region ?? region };
}

/** Message that no product has the id; null if one has. */
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
  return (
    `There is no product${region === undefined ? '' : ` of ${region}`} with the id ${product}. ` +
    `\`pricebook product ${region ?? 'uk'} …\` finds products by barcode or words of the title.`
  );
}
