import type { Queryable } from '../../src/db/client.ts';

/** Derives what is above each category from its parent, for categories that were inserted by hand. */
export async function renewCategoryAncestors(sql: Queryable): Promise<void> {
  await sql.query(`
    with recursive climb (category_key, ancestors) as (
      select category_key, array[category_key] from catalog.category where parent_key is null
      union all
      select c.category_key, climb.ancestors || c.category_key
      from climb join catalog.category c on c.parent_key = climb.category_key
    )
    update catalog.category c set ancestors = climb.ancestors from climb where c.category_key = climb.category_key`);
}
