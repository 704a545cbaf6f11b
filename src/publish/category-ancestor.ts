import type { Askable } from '../db/client.ts';

/** UNION, not UNION ALL: a circle among the parents would otherwise never end. */
const collectAncestry = `
  create temporary table ancestry on commit drop as
  with recursive climb (category_key, ancestor_key) as (
    select category_key, category_key from catalog.category
    union
    select climb.category_key, above.parent_key
    from climb join catalog.category above on above.category_key = climb.ancestor_key
    where above.parent_key is not null
  )
  select * from climb`;

/** Brings `category_ancestor` to what the categories' parents say, touching no row that is the same. */
export const categoryAncestor: readonly string[] = [
  collectAncestry,
  `delete from catalog.category_ancestor known
   where not exists (
     select from ancestry a where a.category_key = known.category_key and a.ancestor_key = known.ancestor_key)`,
  `insert into catalog.category_ancestor (category_key, ancestor_key)
   select category_key, ancestor_key
   from ancestry a
   where not exists (
     select from catalog.category_ancestor known
     where known.category_key = a.category_key and known.ancestor_key = a.ancestor_key)
   order by category_key, ancestor_key`,
];

/** The same for who has written categories outside a publication, in a transaction of theirs. */
export async function renewCategoryAncestors(tx: Askable): Promise<void> {
  for (const statement of categoryAncestor) await tx.query(statement);
}
