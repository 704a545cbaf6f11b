import type { RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { copyBinary, integersOf } from '../../db/copy-binary.ts';
import { rowsOf } from '../../db/rows.ts';
import { type CategoryGroups, createCategoryGroups } from './category-groups.ts';
import type { CertifiedNight } from './derivation.ts';
import { emptyNight, type RegionNight, unknown } from './region-night.ts';

interface NightWalk {
  readonly groups: CategoryGroups;
  /** Nights in order. The columns are reused and change between nights: copy what you need. */
  nights(): AsyncIterable<WalkedNight>;
}

interface WalkedNight {
  readonly night: CertifiedNight;
  readonly state: RegionNight;
}

/** Number of nights whose changes are read at once: few queries without loading years of changes. */
const nightsReadAtOnce = 200;

/** Marks an ended offer; -1 is an offer without a loyalty price. */
const noOffer = -2;

/** Histories that make up a night: value of a spell, and the value after its end. */
const histories = {
  price: { table: 'price_spell', value: 'coalesce(price_minor, -1)', ended: '-1' },
  availability: {
    table: 'availability_spell',
    value: `case availability when 'available' then 1 when 'unavailable' then 2 else 0 end`,
    ended: '0',
  },
  offer: { table: 'offer_spell', value: 'coalesce(loyalty_price_minor, -1)', ended: String(noOffer) },
  category: { table: 'product_category', value: 'category_key', ended: '-category_key' },
} as const;

/**
 * Reads certified nights of a region in order: the first one completely, then changes only. Costs one night plus the
 * changes.
 */
export async function walkNights(
  tx: Transaction,
  region: RegionCode,
  nights: readonly CertifiedNight[],
  readAtOnce = nightsReadAtOnce,
): Promise<NightWalk> {
  const groups = await readCategoryGroups(tx, region);
  return {
    groups,
    async *nights() {
      const [keys] = await copyBinary(
        tx,
        'select array_agg(product_key order by product_key) from catalog.product where region = $1',
        [region],
        ([all]) => integersOf(all),
      );
      const { state, change } = createState(keys!, groups);
      for (let done = 0; done < nights.length; done += readAtOnce) {
        // Changes are relative to the first of these nights.
        const first = Math.max(0, done - 1);
        const changes = await readChanges(tx, nights.slice(first, done + readAtOnce), keys!, done === 0);
        for (const night of nights.slice(done, done + readAtOnce)) {
          for (const each of changes.get(night) ?? []) change(each);
          yield { night, state };
        }
      }
    },
  };
}

/** The categories of a region with their ancestors. */
export async function readCategoryGroups(tx: Transaction, region: RegionCode): Promise<CategoryGroups> {
  const rows = await rowsOf<{ key: number; above: number[] }>(
    tx,
    `select above.category_key as key, array_agg(above.ancestor_key) as above
     from catalog.category_ancestor above join catalog.category c using (category_key)
     where c.region = $1 group by above.category_key`,
    [region],
  );
  return createCategoryGroups(new Map(rows.map(({ key, above }) => [key, above])));
}

/** Spells of one history that began or ended at the same time. */
interface Change {
  readonly history: keyof typeof histories;
  readonly keys: Int32Array;
  readonly values: Int32Array;
}

/**
 * Begins and ends of spells after the first night, by the first night that sees them; with `isFirstWhole` also the
 * state on the first night. Includes all products with keys in the region's range, because filtering in SQL would cost
 * more.
 */
async function readChanges(
  tx: Transaction,
  nights: readonly CertifiedNight[],
  keys: Int32Array,
  isFirstWhole: boolean,
): Promise<Map<CertifiedNight, Change[]>> {
  const changes = new Map<CertifiedNight, Change[]>(nights.map((night) => [night, []]));
  const instants = nights.map(({ observedAt }) => observedAt);
  for (const [history, { table, value, ended }] of Object.entries(histories)) {
    const rows = await copyBinary(
      tx,
      // A night sees events up to its own instant.
      `select width_bucket(at - interval '1 microsecond', $1::timestamptz[]), array_agg(product_key), array_agg(value)
       from (
         select product_key, greatest(valid_from, $2) as at, true as begins, ${value} as value from catalog.${table}
         where ${isFirstWhole ? '' : 'valid_from > $2 and'} valid_from <= $3 and (valid_to is null or valid_to > $2)
         union all
         select product_key, valid_to, false, ${ended} from catalog.${table} where valid_to > $2 and valid_to <= $3
       ) as change
       where product_key between $4 and $5
       group by at, begins
       order by at, begins`,
      [
        `{${instants.map((at) => at.toISOString()).join()}}`,
        instants[0]!,
        instants.at(-1)!,
        keys[0] ?? 0,
        keys.at(-1) ?? 0,
      ],
      ([night, ...columns]) => ({ night: night!.readInt32BE(), columns: columns.map(integersOf) }),
    );
    for (const { night, columns } of rows) {
      const [changed, values] = columns;
      changes.get(nights[night]!)!.push({ history: history as Change['history'], keys: changed!, values: values! });
    }
  }
  return changes;
}

/** Empty state of a region's products, and functions that apply changes. */
function createState(
  keys: Int32Array,
  groups: CategoryGroups,
): { readonly state: RegionNight; change(change: Change): void } {
  const state = emptyNight(keys, groups.ofDirect([]));
  const placeOf = new Int32Array((keys.at(-1) ?? 0) + 1).fill(ofAnotherRegion);
  for (let i = 0; i < keys.length; i++) placeOf[keys[i]!] = i;
  // Optimised for products in a single category.
  const only = new Int32Array(keys.length);
  const several = new Map<number, readonly number[]>();

  const bring: Readonly<Record<Change['history'], (place: number, value: number) => void>> = {
    price(place, value) {
      state.price[place] = value;
    },
    availability(place, value) {
      state.listed[place] = value;
    },
    offer(place, value) {
      state.onPromotion[place] = value === noOffer ? 0 : 1;
      state.loyaltyPrice[place] = value === noOffer ? unknown : value;
    },
    category(place, value) {
      const before = several.get(place) ?? (only[place] === 0 ? [] : [only[place]!]);
      const now = value > 0 ? [...before, value] : before.filter((category) => category !== -value);
      only[place] = now.length === 1 ? now[0]! : 0;
      if (now.length > 1) several.set(place, now);
      else several.delete(place);
      state.group[place] = groups.ofDirect(now);
    },
  };
  return {
    state,
    change({ history, keys: changed, values }) {
      for (let i = 0; i < changed.length; i++) {
        const place = placeOf[changed[i]!]!;
        if (place !== ofAnotherRegion) bring[history](place, values[i]!);
      }
    },
  };
}

const ofAnotherRegion = -1;
