import { boolean, foreignKey, integer, numeric, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { productDetail } from './product-detail.ts';
import { catalog } from './schemas.ts';

/** The nutrition table of one version of a product's details. */
export const productNutrition = catalog.table(
  'product_nutrition',
  {
    productKey: integer().notNull(),
    /** That of its `product_detail` row. */
    validFrom: instant().notNull(),
    nutrient: text().notNull(),
    basis: text().notNull(),
    amount: numeric().notNull(),
    unit: text().notNull(),
    isUpperBound: boolean().notNull(),
    printed: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productKey, t.validFrom, t.nutrient, t.basis] }),
    foreignKey({
      columns: [t.productKey, t.validFrom],
      foreignColumns: [productDetail.productKey, productDetail.validFrom],
    }),
  ],
);
