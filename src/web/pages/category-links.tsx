import { fields } from '../../questions/columns.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { searchOf } from '../kernel/addresses.ts';
import type { Shown } from '../kernel/page.ts';
import { text } from '../kernel/words.ts';

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

/** ` in Bakery` on a page about a category; otherwise nothing. */
export async function inCategory(
  { ask }: Pick<Shown<unknown, unknown>, 'ask'>,
  { region, category }: { readonly region: string; readonly category?: string | undefined },
): Promise<string> {
  if (category === undefined) return '';
  return ` in ${text((await ask(categoriesAbove(region, category))).at(-1)?.name ?? category)}`;
}

/** Links to the categories above one, and its name if it has no link. */
export const Crumbs = ({ of: path }: { of: readonly (readonly [name: string | null, href: string | null])[] }) => (
  <ul class="crumbs">
    {path.map(([name, href]) => (
      <li key={name}>{href === null ? text(name) : <a href={href}>{text(name)}</a>}</li>
    ))}
  </ul>
);

/** Path, name and further parameters; movers span a month, as the index does. */
const aboutCategories = [
  ['/find', 'Products', {}],
  ['/movers', 'Movers', { period: 'month' }],
  ['/promotions', 'Offers', {}],
  ['/index', 'Inflation', {}],
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
