import { boolean, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';

/** Every category with itself and all its ancestors; derived from `category.parent_key`. */
export const categoryAncestor = catalog.table(
  'category_ancestor',
  {
    categoryKey: integer().notNull(),
    ancestorKey: integer().notNull(),
    /** Both keys are the same category. The planner cannot estimate from two keys how often that is. */
    isItself: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.categoryKey, t.ancestorKey] }),
    index('category_ancestor_by_ancestor').on(t.ancestorKey),
  ],
);
