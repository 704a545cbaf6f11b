import type { RegionCode } from '../base/model/index.ts';
import { lastDerived } from './certified.ts';
import { type Sql, sql } from './sql.ts';

/** First day of the last three calendar months. */
export const recentMonths = (region: RegionCode): Sql =>
  sql`(date_trunc('month', ${lastDerived(region)}::timestamp) - interval '2 months')::date`;

/** Condition for products in categories on a night; null: all products. */
export const productsOf = (categoryKeys: readonly number[] | undefined, night: Sql): Sql | null =>
  categoryKeys
    ? sql`product_key in (
        select member.product_key
        from unnest(${categoryKeys}::int[]) as category (category_key)
        cross join lateral marts.products_in_category(category.category_key, ${night}) as member)`
    : null;
