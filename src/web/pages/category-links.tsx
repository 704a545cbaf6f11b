import { fields } from '../../questions/columns.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { searchOf } from '../kernel/addresses.ts';

/** The category that a statement finds below its ancestors, the department first. */
export const upFrom = (key: Sql) => ({
  caption: 'The category and those above it',
  columns: fields('category_id', 'name'),
  sql: sql`
    with recursive above as (
      select category_id, parent_key, name, depth from marts.dim_category where category_key = (${key})
      union all
      select c.category_id, c.parent_key, c.name, c.depth
      from marts.dim_category c join above on above.parent_key = c.category_key
    )
    select category_id, trim(name) as name from above order by depth`,
});

/** The same for a category by its id, path or name. */
export const categoriesAbove = (region: string, category: string) =>
  upFrom(sql`
    select category_key from marts.dim_category
    where region = ${region} and (category_id = ${category} or lower(path) = lower(${category})
      or lower(trim(name)) = lower(${category}))
    order by category_id <> ${category}, depth limit 1`);

/** Path, name and further parameters; movers span a month, as the index does. */
const aboutCategories = [
  ['/find', 'Products', {}],
  ['/movers', 'Movers', { period: 'month' }],
  ['/promotions', 'Offers', {}],
  ['/index', 'Index', {}],
  ['/shrinkflation', 'Shrinkflation', {}],
] as const;

/** Links to the other pages about a category. */
export const CategoryLinks = ({ region, category, but }: { region: string; category: string; but: string }) => (
  <p class="sub">
    {aboutCategories
      .filter(([path]) => path !== but)
      .map(([path, name, more]) => (
        <a key={path} href={path + searchOf({ region, category, ...more })}>
          {name}
        </a>
      ))}
  </p>
);
