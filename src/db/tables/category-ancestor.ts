import { boolean, index, integer, primaryKey } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';

/** Every category with itself and all categories above it. It follows from `category.parent_key`. */
export const categoryAncestor = catalog.table(
  'category_ancestor',
  {
    categoryKey: integer().notNull(),
    ancestorKey: integer().notNull(),
    /** Both are the same category; the planner cannot guess from two keys how often. */
    isItself: boolean().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.categoryKey, t.ancestorKey] }),
    index('category_ancestor_by_ancestor').on(t.ancestorKey),
  ],
);
