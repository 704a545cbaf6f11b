import type { RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { type BinaryRow, copyBinary, integersOf } from '../../db/copy-binary.ts';
import { rowsOf } from '../../db/rows.ts';
import { type CategoryGroups, createCategoryGroups } from './category-groups.ts';
import type { CertifiedNight } from './derivation.ts';
import { emptyNight, type RegionNight, unknown } from './region-night.ts';

interface NightWalk {
  readonly groups: CategoryGroups;
  /** The nights in order. The same columns each time, changed in between: keep copies, not the columns. */
  nights(): AsyncIterable<WalkedNight>;
}

interface WalkedNight {
  readonly night: CertifiedNight;
  readonly state: RegionNight;
}

/** Nights whose changes are read in one go: few goes, but not the changes of years held at once. */
const nightsReadAtOnce = 200;

/**
 * Reads certified nights of a region one after the other: the first whole, and of each further one
 * what changed since. Costs one night and the changes, however many nights there are.
 */
export async function walkNights(
  tx: Transaction,
  region: RegionCode,
  nights: readonly CertifiedNight[],
  readAtOnce = nightsReadAtOnce,
): Promise<NightWalk> {
  const groups = createCategoryGroups(await readAncestors(tx, region));
  return {
    groups,
    async *nights() {
      const [first, ...others] = nights;
      if (!first) return;
      const reader = await readFirst(tx, region, first, groups);
      yield { night: first, state: reader.state };
      for (let done = 0; done < others.length; done += readAtOnce) {
        // Changes are those since the first of the nights they are read for.
        const read = nights.slice(done, done + 1 + readAtOnce);
        const changes = await readChanges(tx, read, reader.state.productKeys);
        for (let n = 1; n < read.length; n++) {
          reader.apply(changes, n);
          yield { night: read[n]!, state: reader.state };
        }
      }
    },
  };
}

async function readAncestors(tx: Transaction, region: RegionCode): Promise<Map<number, number[]>> {
  const rows = await rowsOf<{ key: number; above: number[] }>(
    tx,
    `select above.category_key as key, array_agg(above.ancestor_key) as above
     from catalog.category_ancestor above join catalog.category c using (category_key)
     where c.region = $1 group by above.category_key`,
    [region],
  );
  return new Map(rows.map(({ key, above }) => [key, above]));
}

interface NightReader {
  readonly state: RegionNight;
  /** Brings the state to the nth night. */
  apply(changes: Changes, n: number): void;
}

async function readFirst(
  tx: Transaction,
  region: RegionCode,
  { observedAt }: CertifiedNight,
  groups: CategoryGroups,
): Promise<NightReader> {
  const [isLast] = await rowsOf<{ isLast: boolean }>(
    tx,
    `select not exists (
       select from ops.run where region = $1 and status = 'published' and observed_at > $2) as "isLast"`,
    [region, observedAt],
  );
  const known = await copyBinary(
    tx,
    `select array_agg(product_key),
       array_agg(case availability when 'available' then 1 when 'unavailable' then 2 else 0 end),
       array_agg(coalesce(price_minor, -1)), array_agg(coalesce(loyalty_price_minor, -1)), array_agg(is_on_promotion::int)
     from (${isLast!.isLast ? currentState : stateAt}) as state
     ${inParts}`,
    [region, observedAt],
    readColumns,
  );
  const productKeys = joined(known.map(([keys]) => keys!)).sort();
  // Those of the other region are left out here, where that costs less than in the statement.
  const memberships = await copyBinary(
    tx,
    `select array_agg(product_key), array_agg(category_key)
     from catalog.product_category
     where product_key between $1 and $2 and valid_from <= $3 and (valid_to is null or valid_to > $3)
     ${inParts}`,
    [productKeys[0] ?? 0, productKeys.at(-1) ?? 0, observedAt],
    readColumns,
  );
  const placeOf = places(productKeys);
  const state = emptyNight(productKeys, groups.ofDirect([]));
  const columns = [state.listed, state.price, state.loyaltyPrice, state.onPromotion];
  for (const [keys, ...values] of known) {
    for (const [n, column] of columns.entries()) {
      for (let i = 0; i < keys!.length; i++) column[placeOf(keys![i]!)] = values[n]![i]!;
    }
  }

  // Most products are in one category: their group is looked up once a category, not once a product.
  const direct = new Map<number, readonly number[]>();
  const only = new Int32Array(productKeys.length);
  const groupOfOne = new Map<number, number>();
  for (const [products, categories] of memberships) {
    for (let i = 0; i < products!.length; i++) {
      const place = placeOf(products![i]!);
      if (place === ofAnotherRegion) continue;
      const category = categories![i]!;
      if (only[place] !== 0) direct.set(place, [...(direct.get(place) ?? [only[place]!]), category]);
      only[place] = category;
      let group = groupOfOne.get(category);
      if (group === undefined) {
        group = groups.ofDirect([category]);
        groupOfOne.set(category, group);
      }
      state.group[place] = group;
    }
  }
  for (const [place, several] of direct) state.group[place] = groups.ofDirect(several);

  return {
    state,
    apply(changes, n) {
      const bringForward = (history: ChangesOfHistory, change: (place: number, value: number) => void): void =>
        history.at(n, (key, value) => {
          const place = placeOf(key);
          if (place !== ofAnotherRegion) change(place, value);
        });
      bringForward(changes.price, (place, value) => {
        state.price[place] = value;
      });
      bringForward(changes.availability, (place, value) => {
        state.listed[place] = value;
      });
      bringForward(changes.offer, (place, value) => {
        state.onPromotion[place] = value === noOffer ? 0 : 1;
        state.loyaltyPrice[place] = value === noOffer ? unknown : value;
      });
      bringForward(changes.category, (place, value) => {
        const now = new Set(direct.get(place) ?? (only[place] === 0 ? [] : [only[place]!]));
        if (value > 0) now.add(value);
        else now.delete(-value);
        direct.set(place, [...now]);
        state.group[place] = groups.ofDirect([...now]);
      });
    },
  };
}

/** A region's columns come in parts: their bytes take twice as much as the numbers, and are let go with each part. */
const inParts = 'group by product_key / 16384';

const readColumns = (row: BinaryRow): Int32Array[] => row.map(integersOf);

function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** What every product is now, those that are not listed included: of one that returns, the price is what it was. */
const currentState = `
  select p.product_key, c.availability::text, c.price_minor, c.loyalty_price_minor, c.offer_since is not null as is_on_promotion
  from catalog.product p left join catalog.product_current c using (product_key)
  where p.region = $1`;

/** Likewise at an instant. */
const stateAt = `
  select p.product_key, a.availability::text, price.price_minor, offer.loyalty_price_minor, offer.product_key is not null as is_on_promotion
  from catalog.product p
  left join catalog.availability_spell a
    on a.product_key = p.product_key and a.valid_from <= $2 and (a.valid_to is null or a.valid_to > $2)
  left join catalog.price_spell price
    on price.product_key = p.product_key and price.valid_from <= $2 and (price.valid_to is null or price.valid_to > $2)
  left join catalog.offer_spell offer
    on offer.product_key = p.product_key and offer.valid_from <= $2 and (offer.valid_to is null or offer.valid_to > $2)
  where p.region = $1`;

const ofAnotherRegion = -1;

/** By keys up to the region's highest. */
function places(productKeys: Int32Array): (key: number) => number {
  const byKey = new Int32Array((productKeys.at(-1) ?? 0) + 1).fill(ofAnotherRegion);
  for (let i = 0; i < productKeys.length; i++) byKey[productKeys[i]!] = i;
  return (key) => byKey[key]!;
}

/** That an offer has ended; -1 is an offer without a loyalty price. */
const noOffer = -2;

/** Changes of one history, night by night. */
interface ChangesOfHistory {
  at(night: number, change: (productKey: number, value: number) => void): void;
}

interface Changes {
  readonly price: ChangesOfHistory;
  readonly availability: ChangesOfHistory;
  readonly offer: ChangesOfHistory;
  readonly category: ChangesOfHistory;
}

/**
 * Every history's beginnings and endings after the first night, with the night that was the first to see them. Of all
 * products with keys like the region's: those of another are left out here, where that costs less than in the
 * statement.
 */
async function readChanges(
  tx: Transaction,
  nights: readonly CertifiedNight[],
  productKeys: Int32Array,
): Promise<Changes> {
  const instants = nights.map(({ observedAt }) => observedAt);
  const read = async (table: string, value: string, ended: string): Promise<ChangesOfHistory> => {
    const rows = await copyBinary(
      tx,
      // A night sees what happened at its instant or before it: it is the first whose instant is not earlier.
      `select width_bucket(at - interval '1 microsecond', $1::timestamptz[]) as night, array_agg(product_key), array_agg(value)
       from (
         select h.product_key, h.valid_from as at, true as begins, ${value} as value from catalog.${table} h
         where h.valid_from > $2 and h.valid_from <= $3 and (h.valid_to is null or h.valid_to > $2)
         union all
         select h.product_key, h.valid_to, false, ${ended} from catalog.${table} h
         where h.valid_to > $2 and h.valid_to <= $3
       ) as change
       where product_key between $4 and $5
       group by at, begins
       order by at, begins`,
      [
        `{${instants.map((at) => at.toISOString()).join()}}`,
        instants[0]!,
        instants.at(-1)!,
        productKeys[0] ?? 0,
        productKeys.at(-1) ?? 0,
      ],
    );
    const byNight = new Map<number, { readonly keys: Int32Array; readonly values: Int32Array }[]>();
    for (const [night, keys, values] of rows) {
      const n = night!.readInt32BE();
      const changes = byNight.get(n) ?? [];
      byNight.set(n, changes);
      changes.push({ keys: integersOf(keys), values: integersOf(values) });
    }
    return {
      at(night, change) {
        for (const { keys, values } of byNight.get(night) ?? [])
          for (let i = 0; i < keys.length; i++) change(keys[i]!, values[i]!);
        byNight.delete(night);
      },
    };
  };
  return {
    price: await read('price_spell', 'coalesce(h.price_minor, -1)', '-1'),
    availability: await read(
      'availability_spell',
      `case h.availability when 'available' then 1 when 'unavailable' then 2 else 0 end`,
      '0',
    ),
    offer: await read('offer_spell', 'coalesce(h.loyalty_price_minor, -1)', String(noOffer)),
    category: await read('product_category', 'h.category_key', '-h.category_key'),
  };
}
