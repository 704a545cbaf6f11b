import { text } from 'drizzle-orm/pg-core';
import { catalog } from './schemas.ts';

/** Brands of the supermarket itself; the owner of the database may edit them. */
export const privateLabel = catalog.table('private_label', {
  /** As `marts.brand_key` writes it. */
  brandKey: text().primaryKey(),
});
