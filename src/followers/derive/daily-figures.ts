import { type InferInsertModel, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { snakeKeys } from '../../crawl/units.ts';
import type { Transaction } from '../../db/client.ts';
import { dailyFigure } from '../../db/tables/index.ts';
import type { CategoryGroups } from './category-groups.ts';
import { forEachProduct, none, type Panel } from './price-index/panel.ts';
import { type RegionNight, unknown } from './read-night.ts';

interface NightToCount {
  readonly region: string;
  readonly date: string;
  readonly state: RegionNight;
  readonly panel: Panel;
  /** Panel of the previous certified night; null if there is none. */
  readonly before: Panel | null;
}

/**
 * Writes the daily figures of a night: one row for the region and one per category that has listed products on this
 * night or had products with a price on the previous one.
 */
export async function writeDailyFigures(tx: Transaction, night: NightToCount, groups: CategoryGroups): Promise<void> {
  const { region, date: snapshotDate } = night;
  const counted = countProducts(night.state, groups);
  const medians = doubledMedians(night.state, groups);
  const moves = countMoves(night, groups);
  const rows = groups.categoryKeys.flatMap((categoryKey, c): (typeof dailyFigure.$inferInsert)[] => {
    if (c > 0 && counted.productsListed[c] === 0 && !moves?.departures[c]) return [];
    const medianPriceDoubled = medians[c] ?? null;
    return [{ region, categoryKey, snapshotDate, medianPriceDoubled, ...at(counted, c), ...(moves && at(moves, c)) }];
  });
  await insertRows(tx, dailyFigure, rows);
}

/** Inserts rows as one JSON value, at a tenth of what a parameter a value costs. */
export async function insertRows<Table extends PgTable>(
  { orm }: Transaction,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<void> {
  const named = rows.map(snakeKeys);
  const names = sql.join(
    Object.keys(named[0] ?? {}).map((name) => sql.identifier(name)),
    sql`, `,
  );
  if (rows.length > 0)
    await orm.execute(sql`insert into ${table} (${names}) select ${names}
      from jsonb_populate_recordset(null::${table}, ${JSON.stringify(named)}::jsonb)`);
}

/** The values of columns at a place. */
const at = <Name extends string>(columns: Readonly<Record<Name, ArrayLike<number>>>, place: number) =>
  Object.fromEntries(
    Object.entries<ArrayLike<number>>(columns).map(([name, column]) => [name, column[place]]),
  ) as Record<Name, number>;

/** Counts by dense category number. `productsListed` needs no price, and only `productsCarried` are not for sale. */
function countProducts({ isAvailable, price, loyaltyPrice, onPromotion, group }: RegionNight, groups: CategoryGroups) {
  const column = () => new Float64Array(groups.categoryKeys.length);
  const counted = {
    productsListed: column(),
    productsAvailable: column(),
    productsCarried: column(),
    productsOnPromotion: column(),
    productsWithLoyaltyPrice: column(),
    priceSumMinor: column(),
    loyaltyDiscountPctSum: column(),
  };
  for (let i = 0; i < price.length; i++) {
    const [cost, loyalty] = [price[i]!, loyaltyPrice[i]!];
    const isOffered = isAvailable[i] === 1 && cost !== unknown;
    const hasLoyaltyPrice = isOffered && loyalty !== unknown;
    for (const c of groups.members(group[i]!)) {
      counted.productsListed[c]!++;
      if (isAvailable[i] === 0 && cost !== unknown) counted.productsCarried[c]!++;
      if (!isOffered) continue;
      counted.priceSumMinor[c]! += cost;
      counted.productsAvailable[c]!++;
      if (onPromotion[i] === 1) counted.productsOnPromotion[c]!++;
      if (hasLoyaltyPrice) counted.productsWithLoyaltyPrice[c]!++;
      if (hasLoyaltyPrice && cost > 0) counted.loyaltyDiscountPctSum[c]! += ((cost - loyalty) / cost) * 100;
    }
  }
  return counted;
}

/** Factor that packs a price and a product's index into one number. */
const places = 2 ** 22;

/** Twice the median price of products for sale, because the median may lie between two prices; null without prices. */
function doubledMedians({ isAvailable, price, group }: RegionNight, groups: CategoryGroups): (number | null)[] {
  const isOffered = (_: number, i: number) => isAvailable[i] === 1 && price[i] !== unknown;
  const byPrice = Float64Array.from(price, (cost, i) => cost * places + i)
    .filter(isOffered)
    .sort();
  const priced = new Int32Array(groups.categoryKeys.length);
  for (const each of byPrice) for (const c of groups.members(group[each % places]!)) priced[c]!++;
  const seen = new Int32Array(priced.length);
  const doubled = Array.from(priced, (count) => (count === 0 ? null : 0));
  for (const each of byPrice) {
    const i = each % places;
    for (const c of groups.members(group[i]!)) {
      const rank = ++seen[c]!;
      // Lower and upper middle element; the same one if the count is odd.
      if (rank === (priced[c]! + 1) >> 1) doubled[c]! += price[i]!;
      if (rank === (priced[c]! >> 1) + 1) doubled[c]! += price[i]!;
    }
  }
  return doubled;
}

/**
 * Counts products with a price on both nights, arrivals, departures and price changes; both nights and price changes
 * count in categories that a product belongs to on both.
 */
function countMoves({ panel, before }: NightToCount, groups: CategoryGroups) {
  if (!before) return null;
  const column = () => new Int32Array(groups.categoryKeys.length);
  const moves = { arrivals: column(), departures: column(), priceIncreases: column(), priceDecreases: column() };
  const productsCompared = column();
  const count = (moved: Int32Array, group: number, by: 1 | -1) => {
    for (const c of groups.members(group)) moved[c]! += by;
  };
  forEachProduct(before, panel, (b, n) => {
    const isSame = b !== none && n !== none && before.group[b] === panel.group[n];
    if (isSame && before.shelf[b] === panel.shelf[n]) return count(productsCompared, panel.group[n]!, 1);
    if (n !== none) count(moves.arrivals, panel.group[n]!, 1);
    if (b !== none) count(moves.departures, before.group[b]!, 1);
    if (n === none || b === none) return;
    const common = groups.intersection(before.group[b]!, panel.group[n]!);
    count(moves.arrivals, common, -1);
    count(moves.departures, common, -1);
    count(productsCompared, common, 1);
    if (panel.shelf[n]! > before.shelf[b]!) count(moves.priceIncreases, common, 1);
    if (panel.shelf[n]! < before.shelf[b]!) count(moves.priceDecreases, common, 1);
  });
  return { ...moves, productsCompared };
}

/** Writes products whose price differs from the previous certified night, by basis; none without such a night. */
export async function writePriceSteps(
  tx: Transaction,
  { region, date, panel, before }: Omit<NightToCount, 'state'>,
): Promise<void> {
  for (const basis of ['shelf', 'member'] as const) {
    const [keys, pricesBefore, pricesAfter]: number[][] = [[], [], []];
    forEachProduct(before ?? panel, panel, (b, n) => {
      const was = b === none ? unknown : (before ?? panel)[basis][b]!;
      const is = n === none ? unknown : panel[basis][n]!;
      if (was === is) return;
      keys!.push(n === none ? before!.keys[b]! : panel.keys[n]!);
      pricesBefore!.push(was);
      pricesAfter!.push(is);
    });
    await tx.query(
      `insert into derived.price_step (region, snapshot_date, price_basis, product_keys, prices_before, prices_after)
       values ($1, $2, $3, $4, $5, $6)`,
      [region, date, basis, keys, pricesBefore, pricesAfter],
    );
  }
}
