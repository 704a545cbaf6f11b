import type { RegionCode } from '../../src/base/model/index.ts';
import type { Queryable } from '../../src/db/client.ts';
import { camelRows } from '../../src/db/rows.ts';
import type { Simulator, TrueProduct } from '../../src/simulator/index.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';

/** A listed product on a night, in the words of `marts`. */
export interface KnownProduct {
  readonly title: string;
  readonly price: string | null;
  readonly unitPrice: string | null;
  readonly unitOfMeasure: string | null;
  readonly loyaltyPrice: string | null;
  readonly availability: string;
  readonly onPromotion: boolean;
  /** Sorted ids. */
  readonly categories: readonly string[];
}

/** A product on which `marts` and the simulator differ; null: it is missing there. */
export interface Difference {
  readonly productId: string;
  readonly known: KnownProduct | null;
  readonly expected: KnownProduct | null;
}

/** Where `marts` and the simulator's truth disagree about a night, in words; empty when they agree in everything. */
export async function disagreements(
  sql: Queryable,
  simulator: Pick<Simulator, 'truth'>,
  region: RegionCode,
  date: string,
): Promise<string[]> {
  const differing = await differences(sql, [...simulator.truth(region, date)], region, date);
  return differing.map((difference) => inWords(difference, `${region} ${date}`));
}

/** The same, product by product; `truth`: what the simulator shows. */
export async function differences(
  sql: Queryable,
  truth: readonly TrueProduct[],
  region: RegionCode,
  date: string,
): Promise<Difference[]> {
  if (truth.length === 0) throw new Error(`the simulator shows nothing in ${region} on ${date}`);
  const known = await knownProducts(sql, region, date);
  const found: Difference[] = [];
  for (const product of truth) {
    const { productId } = product;
    const row = known.get(productId) ?? null;
    const expected = expectedOf(product);
    if (JSON.stringify(row) !== JSON.stringify(expected)) found.push({ productId, known: row, expected });
    known.delete(productId);
  }
  return [...found, ...[...known].map(([productId, row]) => ({ productId, known: row, expected: null }))];
}

export function inWords({ productId, known, expected }: Difference, night: string): string {
  if (!known) return `${night}: ${productId} is missing: ${JSON.stringify(expected)}`;
  if (!expected) return `${night}: ${productId} should not be there`;
  return `${night}: ${productId}\n  is ${JSON.stringify(known)}\n  not ${JSON.stringify(expected)}`;
}

/** What `marts.as_of` and `marts.bridge_product_category` say of a night, by product id. */
export async function knownProducts(
  sql: Queryable,
  region: RegionCode,
  date: string,
): Promise<Map<string, KnownProduct>> {
  const rows = await camelRows<KnownProduct & { productId: string }>(
    sql,
    `with night as (
       select observed_at from ops.run
       where region = $1 and snapshot_date = $2 and status = 'published' order by run_id desc limit 1
     ), categories as (
       select b.product_id, array_agg(b.category_id order by b.category_id collate "C") as ids
       from marts.bridge_product_category b, night
       where b.region = $1
         and b.valid_from <= night.observed_at
         and (b.valid_to is null or b.valid_to > night.observed_at)
       group by b.product_id
     )
     select product_id, title, price::text, trim_scale(unit_price)::text as unit_price,
       unit_of_measure, loyalty_price::text as loyalty_price, availability,
       on_promotion, coalesce(categories.ids, '{}') as categories
     from marts.as_of($1, $2) left join categories using (product_id)
     where snapshot_date = $2`,
    [region, date],
  );
  return new Map(rows.map(({ productId, ...product }) => [productId, product]));
}

function expectedOf(product: TrueProduct): KnownProduct {
  return {
    title: product.title.replace(/\s+/g, ' ').trim(),
    price: major(product.priceMinor),
    unitPrice: product.unitPrice === null ? null : shortest(product.unitPrice),
    unitOfMeasure: product.unitOfMeasure,
    loyaltyPrice: major(product.loyaltyPriceMinor),
    availability: product.available ? 'available' : 'unavailable',
    onPromotion: product.onPromotion,
    categories: categoriesOf(product),
  };
}

/** A crawl from the top sees a product's own branch to the bottom (its breadcrumb) and the top of the second one. */
function categoriesOf({ categoryIds }: TrueProduct): string[] {
  const isTop = (id: string) => decodeCategoryId(id)?.length === 1;
  const second = categoryIds.findIndex((id, index) => index > 0 && isTop(id));
  const seen = second < 0 ? categoryIds : categoryIds.slice(0, second + 1);
  return [...seen].sort((a, b) => (a < b ? -1 : 1));
}

function major(minor: number | null): string | null {
  return minor === null ? null : (minor / 100).toFixed(2);
}

function shortest(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
