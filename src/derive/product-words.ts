import type { Derivation } from './derivation.ts';

/** Without accents, and with one kind of apostrophe, as marts.find_products reads what is looked for. */
const folded = (text: string): string =>
  `regexp_replace(normalize(translate(${text}, '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')`;

/** Title, brand and codes as words. Kept without places, which only a ranking would ask for. */
const wordsOfProduct = `strip(to_tsvector('simple', ${folded(`concat_ws(' ', p.title, p.brand, p.product_id, p.tpnb, ltrim(p.gtin, '0'))`)}))`;

/** By which words products are found, as they are now: of a night's products only those that are new or changed are read. */
export const productWords: Derivation = {
  name: 'product-words',

  async forget(tx, region, from) {
    await tx.query(
      `delete from derived.product_words w
       using catalog.region r
       where w.region = $1 and r.region = $1 and w.since >= $2::timestamp at time zone r.time_zone`,
      [region, from],
    );
  },

  async derive(tx, { region }) {
    await tx.query(
      `delete from derived.product_words w
       where w.region = $1
         and not exists (select from catalog.product p where p.product_key = w.product_key and p.region = w.region)`,
      [region],
    );
    await tx.query(
      `insert into derived.product_words (product_key, region, since, words)
       select p.product_key, p.region, p.valid_from, ${wordsOfProduct}
       from catalog.product p
       left join derived.product_words w on w.product_key = p.product_key
       where p.region = $1 and w.since is distinct from p.valid_from
       order by p.product_key
       on conflict (product_key) do update set region = excluded.region, since = excluded.since, words = excluded.words`,
      [region],
    );
  },
};
