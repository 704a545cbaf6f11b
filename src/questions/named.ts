import { NothingFound, UsageInvalid } from '../base/errors.ts';
import { type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Ask } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';
import synonyms from './synonyms.json' with { type: 'json' };

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

/**
 * Id and region of a product given by id or address; the region stays undefined if neither contains it. Throws
 * `UsageInvalid` for other addresses and for addresses of another region.
 */
export function readNamedProduct(named: string, region: RegionCode | undefined) {
  const addressed = addressedProduct(named);
  if (addressed === null && /^https?:\/\//i.test(named))
    throw new UsageInvalid(`${named} is not the address of a product; such an address ends with /products/ID.`);
  const own = addressed?.region ?? region;
  if (region !== undefined && own !== region)
    throw new UsageInvalid(`${named} is a product of ${own}, not of ${region}.`);
  return { product: addressed?.id ?? named, region: own };
}

/** Throws `NothingFound` for ids that no product has. */
export async function checkProducts(ask: Ask, region: RegionCode | undefined, ...ids: readonly string[]) {
  const { rows } = await ask(sql`
    select asked.id
    from unnest(${ids}::text[]) with ordinality as asked (id, place)
    where not exists (
      select from marts.dim_product
      where product_id = asked.id and ${allOf(region !== undefined && sql`region = ${region}`)})
    order by asked.place`);
  if (rows.length === 0) return;
  const unknown = rows.map(({ id }) => id).join(', ');
  throw new NothingFound(
    `There is no product${region === undefined ? '' : ` of ${region}`} with the id ${unknown}. ` +
      `\`pricebook product ${region ?? 'uk'} …\` finds products by barcode or words of the title.`,
  );
}

/** Order of found products: the best match first, among equal ones those for sale, the shortest title first. */
export const bestFirst = sql`found.relevance desc, n.availability <> 'available', length(n.title), n.title,
  n.product_key`;

/**
 * Parses user input: address of a product, id, barcode, or beginnings of words in title and brand. An address with a
 * country overrides the chosen region. `found` is a table with `product_key` and `relevance`: the higher, the better.
 */
export function readWanted(text: string, chosen: RegionCode) {
  const address = addressedProduct(text);
  if (address) {
    const region = address.region ?? chosen;
    return {
      found: sql`(
            select now.product_key, 24 as relevance from marts.product_now now
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
  const found = sql`(
            select product_key, max(relevance) as relevance
            from unnest(${[words, ...synonymsOf(words)]}::text[]) as asked, marts.find_products(${chosen}, asked)
            group by product_key)`;
  return { found, region: chosen };
}

/** Words of categories for a word of daily use, such as soft drinks for fizzy drinks. */
export const synonymsOf = (words: string) => new Map(Object.entries(synonyms)).get(words.toLowerCase()) ?? [];

/**
 * Whether the text is a printed barcode, possibly in groups. Stored barcodes have 14 digits with leading zeros, which
 * may be omitted.
 */
function isBarcode(text: string): boolean {
  return (
    /^0+\d+$/.test(text) || (/^\d[\d -]*\d$/.test(text) && [8, 12, 13, 14].includes(text.replace(/\D/g, '').length))
  );
}

/**
 * Keys of categories with a given id, path or name, ignoring case. Names may end in invisible spaces, so spaces only
 * matter if a category matches exactly. Throws `NothingFound`, and `UsageInvalid` if the text is the path of several.
 */
export async function findCategories(ask: Ask, of: RegionCode | readonly RegionCode[] | undefined, named: string) {
  const regions = [of ?? regionCodes].flat();
  const wanted = sql`${named}::text`;
  const isExact = sql`lower(path) = lower(${wanted}) or lower(name) = lower(${wanted})`;
  const distance = sql`case when category_id = ${wanted} then 0 when ${isExact} then 1 else 2 end`;
  const { rows } = await ask(sql`
    select category_key, category_id, count(*) over (partition by region, path) > 1 as is_shared
    from (
      select *, rank() over (order by ${distance}) as nearness,
        rank() over (partition by region, path, ${distance} order by gone_at is not null) as place
      from marts.dim_category
      where region = any (${regions}::text[])
        and (category_id = ${wanted} or ${seen(sql`path`)} = ${seen(wanted)} or ${seen(sql`name`)} = ${seen(wanted)})
    ) as named
    where nearness = 1 and place = 1`);
  const ids = [...new Set(rows.filter((row) => row['is_shared']).map((row) => row['category_id']))];
  if (ids.length > 1)
    throw new UsageInvalid(`${ids.length} categories have the path "${named}". Name one by its id: ${ids.join(', ')}.`);
  if (rows.length > 0) return rows.map((row) => row['category_key'] as number);
  const names = (await ask(namesLike(regions, named))).rows.map(({ name }) => `"${name}"`).join(', ');
  throw new NothingFound(
    `No category of ${regions.join(' or ')} is called "${named}". ` +
      (names === ''
        ? '`pricebook contributions` lists those of a region or category.'
        : `Did you mean one of these: ${names}?`),
  );
}

/** Names of categories with these words or a synonym or, without such, with most of their pairs of letters. */
export function namesLike(regions: readonly RegionCode[], named: string): Sql {
  const likeness = sql`avg((strpos(' ' || lower(name) || ' ', substr(word, i - 1, 2)) > 0)::int)`;
  const isMeant = sql`to_tsvector('english', name) @@ any (array(
        select plainto_tsquery('english', meant) from unnest(${[named, ...synonymsOf(named)]}::text[]) as meant))`;
  return sql`
    select name
    from (
      select name, ${likeness} as likeness, min(depth) as depth, ${isMeant} as is_meant,
        rank() over (order by ${isMeant} desc) as nearness
      from marts.dim_category, lower(${` ${named.trim().slice(0, 60)} `}) as word, generate_series(2, length(word)) as i
      where region = any (${regions}::text[]) and gone_at is null
      group by name
    ) as known
    where nearness = 1 and (is_meant or likeness > 0.7)
    order by case when is_meant then depth end, likeness desc, length(name), name limit 5`;
}

/** Normalised name or path: lower case, single spaces, trimmed. */
const seen = (text: Sql): Sql => sql`trim(regexp_replace(lower(${text}), '\\s+', ' ', 'g'))`;
