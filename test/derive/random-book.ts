import type { Database } from '../../src/db/client.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { renewCategoryAncestors } from '../support/category-ancestors.ts';
import { createChance } from '../support/chance.ts';
import { readTitles } from '../support/read-titles.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';

export interface RandomBook {
  readonly seed: number;
  readonly first: string;
  readonly runs: number;
  readonly products: number;
  /** Every night is crawled once and is certified, and prices only move while a product is for sale. */
  readonly isPlain?: boolean;
  /** Prices only move while a product is for sale; on a partial night no product and no price returns. */
  readonly isAsExported?: boolean;
  /** Packs that hold another amount from a date on; with `former`, as the successor of a product that leaves. */
  readonly packs?: readonly Pack[];
}

interface Pack {
  readonly product: number;
  readonly former?: number;
  /** The successor has no base product number, but the price. */
  readonly isGuess?: true;
  readonly on: string;
  readonly grams: readonly [before: number, after: number];
}

interface State {
  listed: 'available' | 'unavailable' | 'absent' | 'delisted' | null;
  price: number | null;
  /** Undefined: no offer; null: one without a loyalty price. */
  offer: number | null | undefined;
  category: number;
}

/**
 * Writes the histories of a region as publications would have left them: prices that move, products that arrive, leave
 * and return, offers, memberships that change, partial nights and nights crawled twice. The first `always` products are
 * always listed.
 */
export async function fillRandomBook(
  db: Database,
  { seed, first, runs, products, isPlain = false, isAsExported = isPlain, packs = [] }: RandomBook,
  always = 6,
): Promise<void> {
  const draw = createChance(seed);
  const next = () => draw.whole(0, 999_999) / 1e6;
  const chance = (share: number) => next() < share;
  await db.query(
    `insert into catalog.category (category_key, region, category_id, name, label, depth, parent_key, path,
       first_seen_at)
     overriding system value
     select k, 'uk', 'c' || k, 'c' || k, 'shelf', case when k <= 2 then 0 when k <= 6 then 1 else 2 end,
       case when k > 6 then k - 4 when k > 2 then 1 + k % 2 end, 'c' || k, $1::timestamptz
     from generate_series(1, 10) as k`,
    [`${first}T00:00:00Z`],
  );
  await db.query(
    `insert into catalog.product (product_key, region, product_id, title, is_for_sale, first_seen_at, valid_from,
       entry_hash)
     overriding system value
     select k, 'uk', k::text, 'Product ' || k, true, $1::timestamptz, $1::timestamptz, gen_random_uuid()
     from generate_series(1, $2) as k`,
    [`${first}T00:00:00Z`, products],
  );
  const histories = {
    price: history('price_spell', 'price_minor', 'int'),
    offer: history('offer_spell', 'loyalty_price_minor', 'int'),
    availability: history('availability_spell', 'availability', 'catalog.availability'),
    leaf: history('leaf_spell', 'leaf_key', 'int'),
    listing: history('extra_listing', 'category_key', 'int'),
  };
  const states: State[] = Array.from({ length: products }, (_, k) => ({
    listed: k < always || chance(0.6) ? 'available' : null,
    price: 100 + Math.floor(next() * 800),
    offer: undefined,
    category: 3 + (k % 8),
  }));
  let date = first;
  for (let run = 1; run <= runs; run++) {
    const isAgain = run > 1 && chance(0.1) && !isPlain;
    if (!isAgain && run > 1) date = daysAfter(date, chance(0.08) ? 2 : 1);
    const at = `${date}T02:${String(run % 60).padStart(2, '0')}:00Z`;
    const verdict = run > 1 && chance(0.12) && !isPlain ? 'partial' : 'complete';
    await db.query(
      `insert into ops.run (run_id, region, snapshot_date, observed_at, status, phase, max_details, origin, started_at,
         verdict)
       overriding system value values ($1, 'uk', $2, $3, 'published', 'over', 0, 'crawl', $3, $4)`,
      [run, date, isAgain ? at.replace('T02', 'T05') : at, verdict],
    );
    const instant = isAgain ? at.replace('T02', 'T05') : at;
    const mayReturn = !isAsExported || verdict !== 'partial';
    for (const [k, state] of states.entries()) {
      const key = k + 1;
      const isFirst = run === 1;
      if (k >= always && !isFirst && chance(0.06)) {
        if (state.listed === null || state.listed === 'absent' || state.listed === 'delisted') {
          if (mayReturn) state.listed = 'available';
        } else if (verdict !== 'partial') state.listed = chance(0.5) ? 'absent' : 'unavailable';
      }
      const mayMove = !isAsExported || state.listed === 'available';
      if (!isFirst && chance(0.15) && mayMove && state.price !== null) {
        const factor = k >= always && chance(0.03) ? 12 : 0.8 + next() * 0.45;
        state.price = Math.max(1, Math.min(100_000, Math.round(state.price * factor)));
      }
      if (k >= always && !isFirst && chance(0.02) && mayMove && mayReturn)
        state.price = state.price === null ? 250 : null;
      if (chance(0.1))
        state.offer = chance(0.5) ? undefined : chance(0.7) && state.price ? Math.ceil(state.price * 0.8) : null;
      if (k >= always && !isFirst && chance(0.01)) state.category = 3 + Math.floor(next() * 8);
      for (const { product, former, isGuess, on } of packs) {
        if (former !== key && (former === undefined || product !== key)) continue;
        state.listed = date < on === (former === key) ? 'available' : former === key ? 'absent' : null;
        state.price = isGuess && date === on ? states[former! - 1]!.price : (state.price ?? 300);
        state.category = 5;
      }
      if (state.listed === null) continue;
      histories.availability.set(key, state.listed, instant);
      histories.price.set(key, state.price, instant);
      histories.offer.set(key, state.offer, instant);
      // A third of the products have a breadcrumb, a third also stand elsewhere, a third are only listed.
      if (key % 3 > 0) histories.leaf.set(key, state.category, instant);
      if (key % 3 !== 1) histories.listing.set(key, key % 3 === 0 ? state.category : 13 - state.category, instant);
    }
  }
  for (const pack of packs) await writePack(db, pack, first);
  await readTitles(db);
  await makeSpellsWritable(db);
  await db.tx(async (tx) => {
    for (const each of Object.values(histories)) await each.write(tx);
    await renewCategoryAncestors(tx);
  });
}

/** A new barcode confirms a title; a base product number, or else the name alone, links a successor. */
async function writePack(db: Database, { product, former, isGuess, on, grams }: Pack, first: string): Promise<void> {
  const titles = grams.map((amount) => `Pack ${product} ${amount}g`);
  const at = `(select min(observed_at) from ops.run where snapshot_date >= '${on}')`;
  const set = (key: number, title: string, instant: string) =>
    db.query(
      `update catalog.product set title = $2, gtin = $3, tpnb = $4, valid_from = ${instant} where product_key = $1`,
      [
        key,
        title,
        title.replace(/\D/g, '').padStart(14, '0'),
        former === undefined || isGuess ? null : `pack-${product}`,
      ],
    );
  if (former !== undefined) {
    await set(former, titles[0]!, `timestamptz '${first}T00:00:00Z'`);
    await set(product, titles[1]!, at);
    await db.query(`update catalog.product set first_seen_at = valid_from where product_key = $1`, [product]);
    return;
  }
  await set(product, titles[0]!, `timestamptz '${first}T00:00:00Z'`);
  await db.query(
    `insert into catalog.product_history (product_key, valid_from, valid_to, gtin, title)
     select product_key, valid_from, ${at}, gtin, title from catalog.product where product_key = $1`,
    [product],
  );
  await set(product, titles[1]!, at);
}

type Value = string | number | null;

/** Change-only spells of one value a product; undefined ends a spell. */
function history(table: string, column: string, type: string) {
  const spells: { key: number; value: Value; from: string; to: string | null }[] = [];
  const open = new Map<number, (typeof spells)[number]>();
  return {
    set(key: number, value: Value | undefined, at: string) {
      const last = open.get(key);
      if (last && last.value === value) return;
      if (last) last.to = at;
      open.delete(key);
      if (value === undefined) return;
      const spell = { key, value, from: at, to: null };
      spells.push(spell);
      open.set(key, spell);
    },
    async write(sql: Pick<Database, 'query'>) {
      await sql.query(
        `insert into catalog.${table} (product_key, ${column}, valid_from, valid_to)
         select key, value::${type}, valid_from, valid_to
         from unnest($1::int[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as spell (key, value, valid_from,
           valid_to)`,
        [
          spells.map(({ key }) => key),
          spells.map(({ value }) => (value === null ? null : String(value))),
          spells.map(({ from }) => from),
          spells.map(({ to }) => to),
        ],
      );
    },
  };
}
