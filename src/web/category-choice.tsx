import type { JSX } from 'preact';
import { z } from 'zod';
import type { RegionCode } from '../base/model/index.ts';
import { keyOfTwin } from '../questions/category-twin.ts';
import { type Sql, sql } from '../questions/sql.ts';
import type { Query } from './page.ts';
import { text } from './words.ts';

/** A category, and its key in the other region; null: that has none of this id. */
interface Twin {
  readonly category_key: number;
  readonly other_key: number | null;
}

/** A category to choose; its key in the other region is known if it is chosen. */
export interface CategoryOption extends Twin {
  readonly region: RegionCode;
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

/** Key of a chosen category in the other region; null: there is none. */
export function keyElsewhere(rows: readonly Twin[], category: number | undefined): number | null {
  return rows.find(({ category_key }) => category_key === category)?.other_key ?? null;
}

/** Categories to choose from: all departments, and the chosen categories with their ancestors and children. */
export function categoryOptions(
  regions: readonly RegionCode[],
  ...categories: readonly (number | undefined)[]
): Query<CategoryOption> {
  const chosen = categories.filter((key) => key !== undefined);
  return {
    caption: 'Categories to choose from',
    sql: sql`
      with recursive above as (
        select category_key, parent_key from marts.dim_category where category_key = any (${chosen}::int[])
        union
        select c.category_key, c.parent_key
        from marts.dim_category c join above on above.parent_key = c.category_key
      )
      select category_key, region, path,
        case when category_key = any (${chosen}::int[]) then ${keyOfTwin} end as other_key
      from marts.dim_category c
      where region = any (${regions}::text[]) and gone_at is null
          and (depth = 0 or parent_key = any (${chosen}::int[]))
        -- A chosen one also when it is gone.
        or category_key in (select category_key from above)
      order by region desc, path, category_key
      limit 500`,
    columns: [
      { name: 'region', heading: 'Region' },
      { name: 'path', heading: 'Category' },
    ],
    none: 'No category is known yet.',
  };
}

export interface Category extends Twin {
  readonly name: string;
}

/** A category below its ancestors, the department first; `key` may be null. */
export function trailOf(key: Sql, texts: { readonly caption: string; readonly none: string }): Query<Category> {
  return {
    ...texts,
    sql: sql`
      with recursive above as (
        select category_key, category_id, region, parent_key, name, depth
        from marts.dim_category
        where category_key = ${key}
        union all
        select c.category_key, c.category_id, c.region, c.parent_key, c.name, c.depth
        from marts.dim_category c join above on above.parent_key = c.category_key
      )
      select category_key, trim(name) as name, depth, ${keyOfTwin} as other_key
      from above c
      order by depth`,
    columns: [{ name: 'name', heading: 'Category' }],
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

/** Path, name and further parameters; movers span a month, as the index does. */
const aboutCategories: readonly (readonly [path: string, name: string, more?: string])[] = [
  ['/products', 'Products'],
  ['/movers', 'Movers', '&period=month'],
  ['/promotions', 'Offers'],
  ['/index', 'Index'],
  ['/shrinkflation', 'Shrinkflation'],
];

/** Links to the other pages about a category. */
export function CategoryLinks(props: { region: RegionCode; category: number; but: string }): JSX.Element {
  const { region, category, but } = props;
  return (
    <p class="sub">
      {aboutCategories
        .filter(([path]) => path !== but)
        .map(([path, name, more = '']) => (
          <a key={path} href={`${path}?region=${region}&category=${category}${more}`}>
            {name}
          </a>
        ))}
    </p>
  );
}
