import type { JSX } from 'preact';
import { z } from 'zod';
import type { RegionCode } from '../base/model/index.ts';
import { type Sql, sql } from '../questions/sql.ts';
import type { Query } from './page.ts';
import { text } from './words.ts';

export interface CategoryOption {
  readonly category_key: number;
  readonly path: string;
}

/** Value of `dim_category.category_key`. */
export const CategoryParameter = z.coerce
  .number('must be the key of a category')
  .int('must be the key of a category')
  .min(1, 'must be the key of a category')
  .max(2_147_483_647, 'must be the key of a category')
  .optional()
  .meta({ description: 'Key of a category: dim_category.category_key' });

/** Categories to choose from: all departments, the chosen category, its ancestors and its children. */
export function categoryOptions(region: RegionCode, category: number | undefined): Query<CategoryOption> {
  return {
    caption: 'Categories to choose from',
    sql: sql`
      with recursive above as (
        select category_key, parent_key from marts.dim_category
        where category_key = ${category ?? null}::int
        union all
        select c.category_key, c.parent_key
        from marts.dim_category c join above on above.parent_key = c.category_key
      )
      select c.category_key, c.path
      from marts.dim_category c
      where c.region = ${region} and c.gone_at is null
          and (c.depth = 0 or c.parent_key = ${category ?? null}::int)
        -- The chosen one also when it is gone.
        or c.category_key in (select category_key from above)
      order by c.path, c.category_key
      limit 500`,
    columns: [{ name: 'path', heading: 'Category' }],
    none: 'No category is known yet.',
  };
}

/** Category field of a filter form. */
export function CategoryChoice(props: {
  options: readonly CategoryOption[];
  value: number | undefined;
  label?: string;
}): JSX.Element {
  const { options, value, label = 'Category' } = props;
  return (
    <label>
      {label}
      <select name="category">
        <option value="">all</option>
        {options.map(({ category_key, path }) => (
          <option key={category_key} value={category_key} selected={category_key === value}>
            {text(path)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Keys of the products now in a category, each once; null: no category is chosen. */
export function productsIn(category: number | undefined): Sql | null {
  if (category === undefined) return null;
  return sql`(select m.product_key from marts.product_category_now m where m.category_key = ${category})`;
}
