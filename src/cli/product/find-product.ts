import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { UsageInvalid } from '../../errors.ts';
import type { RegionCode } from '../../model/index.ts';

/** What a person named: an id, or words of a title. */
export type Wanted =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** The part of a product's address that names its country. */
const regionOfLocale: Readonly<Record<string, RegionCode>> = { 'en-gb': 'uk', 'en-ie': 'ie' };

/** Reads what was typed or pasted. Throws `UsageInvalid` for an address that is no product's, or one of the other region. */
export function readWanted(region: RegionCode, operands: readonly string[]): Wanted {
  const text = operands.join(' ').trim();
  if (text === '') throw new UsageInvalid('A product is an id, the address of its page, or words of its title.');
  const isAddress = /^https?:\/\//i.test(text);
  if (!isAddress) {
    return /^[\w-]+$/.test(text) && /\d/.test(text)
      ? { kind: 'id', id: text }
      : { kind: 'words', words: text.split(/\s+/) };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  const [, id] = /\/products\/([\w-]+)\/?$/.exec(url?.pathname ?? '') ?? [];
  if (id === undefined) throw new UsageInvalid(`${text} is not the address of a product: that ends with /products/ID.`);
  const [, locale = ''] = /\/([a-z]{2}-[a-z]{2})\//i.exec(url!.pathname) ?? [];
  const named = regionOfLocale[locale.toLowerCase()];
  if (named && named !== region) throw new UsageInvalid(`${text} is a product of ${named}, not of ${region}.`);
  return { kind: 'id', id };
}

export interface FoundProduct {
  readonly productId: string;
  readonly title: string | null;
  readonly brand: string | null;
  readonly availability: string | null;
}

/** Products found at most when several have the words. */
export const mostFound = 50;

/** An id is also taken for a barcode, and for a word of a title. Those that are listed come first. */
export async function findProducts(sql: Askable, region: RegionCode, wanted: Wanted): Promise<FoundProduct[]> {
  if (wanted.kind === 'id') {
    const byId = await rowsOf<FoundProduct & Record<string, unknown>>(
      sql,
      `${select} where region = $1 and product_id = $2`,
      [region, wanted.id],
    );
    if (byId.length > 0) return byId;
    if (/^\d{8,14}$/.test(wanted.id)) {
      const byBarcode = await rowsOf<FoundProduct & Record<string, unknown>>(
        sql,
        `${select} where region = $1 and gtin = $2 order by product_id`,
        [region, wanted.id.padStart(14, '0')],
      );
      if (byBarcode.length > 0) return byBarcode;
    }
  }
  const words = wanted.kind === 'id' ? [wanted.id] : wanted.words;
  return rowsOf<FoundProduct & Record<string, unknown>>(
    sql,
    `${select}
     where region = $1 and title ilike all ($2::text[])
     order by availability in ('available', 'unavailable') desc nulls last, title, product_id limit ${mostFound + 1}`,
    [region, words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)],
  );
}

const select = 'select product_id as "productId", title, brand, availability from marts.dim_product';
