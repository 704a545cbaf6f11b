import { UsageInvalid } from '../errors.ts';
import type { RegionCode } from '../model/index.ts';

/** The part of a product's address that names its country. */
const regionOfLocale: Readonly<Record<string, RegionCode>> = { 'en-gb': 'uk', 'en-ie': 'ie' };

interface AddressedProduct {
  readonly id: string;
  /** null: the address does not say. */
  readonly region: RegionCode | null;
}

/**
 * The product whose page has that address; null for what is no address. Throws `UsageInvalid` for the address of something
 * else, and for one of another region than the one asked about.
 */
export function readProductAddress(text: string, asked: RegionCode | null): AddressedProduct | null {
  if (!/^https?:\/\//i.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const [, id] = /\/products\/([\w-]+)\/?$/.exec(url?.pathname ?? '') ?? [];
  if (id === undefined) throw new UsageInvalid(`${text} is not the address of a product: that ends with /products/ID.`);
  const [, locale = ''] = /\/([a-z]{2}-[a-z]{2})\//i.exec(url!.pathname) ?? [];
  const region = regionOfLocale[locale.toLowerCase()] ?? null;
  if (asked !== null && region !== null && region !== asked)
    throw new UsageInvalid(`${text} is a product of ${region}, not of ${asked}.`);
  return { id, region: region ?? asked };
}
