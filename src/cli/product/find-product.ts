import { UsageInvalid } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { readProductAddress } from '../../questions/named-product.ts';

/** What a person named: the address of its page, an id, or words of a title. */
export type Wanted =
  | { readonly kind: 'address'; readonly id: string }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/**
 * Reads what was typed or pasted. Throws `UsageInvalid` for an address that is no product's, or one of the other
 * region.
 */
export function readWanted(region: RegionCode, operands: readonly string[]): Wanted {
  const text = operands.join(' ').trim();
  if (text === '') throw new UsageInvalid('A product is an id, the address of its page, or words of its title.');
  const addressed = readProductAddress(text, region);
  if (addressed !== null) return { kind: 'address', id: addressed.id };
  return /^[\w-]+$/.test(text) && /\d/.test(text)
    ? { kind: 'id', id: text }
    : { kind: 'words', words: text.split(/\s+/) };
}

interface FoundProduct {
  readonly productId: string;
  readonly title: string | null;
  readonly brand: string | null;
  readonly availability: string | null;
}

/** Products found at most when several have the words. */
export const mostFound = 50;

/**
 * A bare id is also taken for a barcode, and for part of a title; that of an address is not. Words are parts of the
 * title as they are written, or begin words of title or brand, without accents and with any kind of apostrophe. Those
 * that are listed come first.
 */
export async function findProducts(sql: Askable, region: RegionCode, wanted: Wanted): Promise<FoundProduct[]> {
  if (wanted.kind !== 'words') {
    const byId = await rowsOf<FoundProduct & Record<string, unknown>>(
      sql,
      `${select} where region = $1 and product_id = $2`,
      [region, wanted.id],
    );
    if (byId.length > 0 || wanted.kind === 'address') return byId;
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
  const parts = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return rowsOf<FoundProduct & Record<string, unknown>>(
    sql,
    `${select}
     where region = $1 and (title ilike all ($2::text[])
       or product_key in (select found.product_key from marts.find_products($1, $3) found))
     order by availability in ('available', 'unavailable') desc nulls last, title, product_id limit ${mostFound + 1}`,
    // An id that nobody has would be found as the beginning of barcodes.
    [region, parts, wanted.kind === 'id' ? null : words.join(' ')],
  );
}

const select = 'select product_id as "productId", title, brand, availability from marts.dim_product';
