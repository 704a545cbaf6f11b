import { sql } from 'drizzle-orm';
import { check, type ExtraConfigColumn, index, integer, numeric, text } from 'drizzle-orm/pg-core';
import { endedSpell, keyOfSpells, spell } from './columns.ts';
import { catalog } from './schemas.ts';

type Spell = Readonly<Record<'productKey' | 'validFrom' | 'validTo', ExtraConfigColumn>>;

/** Key and checks of a history. BRIN stays small, because rows are written in the order in which they end. */
const history = (name: string, t: Spell) => [
  ...keyOfSpells(name, t.productKey, t.validFrom),
  index(`${name}_by_end`).using('brin', t.validTo),
];

/**
 * `available` and `unavailable` products are listed; `absent`: not seen by one certified run; `delisted`: by two in a
 * row.
 */
export const availability = catalog.enum('availability', ['available', 'unavailable', 'absent', 'delisted']);

/**
 * Ended spells of availability. The current one of this and the other histories is in `product_current`; both together
 * are a view: `availability_spell`, `price_spell`, `offer_spell`, `leaf_spell`.
 */
export const availabilityHistory = catalog.table(
  'availability_history',
  {
    productKey: integer().notNull(),
    availability: availability().notNull(),
    ...endedSpell(),
  },
  // For changes of a night.
  (t) => [...history('availability_history', t), index('availability_history_by_time').on(t.validFrom)],
);

const price = () => ({
  priceMinor: integer(),
  unitPrice: numeric({ precision: 14, scale: 4 }),
  unitOfMeasure: text(),
});

/** Ended spells of a product's price; null if it was listed without one. */
export const priceHistory = catalog.table(
  'price_history',
  {
    productKey: integer().notNull(),
    ...endedSpell(),
    ...price(),
  },
  (t) => [...history('price_history', t), check('price_history_price', sql`price_minor > 0`)],
);

/**
 * Prices shown while a product was not for sale, if they differ from its last sale price: supermarkets show
 * placeholders. They are not offers, so `price_history` omits them. Null: shown without a price.
 */
export const shownPrice = catalog.table(
  'shown_price',
  {
    productKey: integer().notNull(),
    ...spell(),
    ...price(),
  },
  (t) => [...keyOfSpells('shown_price', t.productKey, t.validFrom), check('shown_price_price', sql`price_minor > 0`)],
);

/**
 * Ended spells in which a promotion was in effect for a product, with the lowest loyalty price (null if none is
 * stated). Derived from `product_promotion`, promotion dates and published runs.
 */
export const offerHistory = catalog.table(
  'offer_history',
  {
    productKey: integer().notNull(),
    loyaltyPriceMinor: integer(),
    ...endedSpell(),
  },
  (t) => history('offer_history', t),
);

/** Ended spells of a product in the deepest category of its breadcrumb. */
export const leafHistory = catalog.table(
  'leaf_history',
  {
    productKey: integer().notNull(),
    /** Null: no breadcrumb was known. */
    leafKey: integer(),
    ...endedSpell(),
  },
  (t) => history('leaf_history', t),
);

/** Categories that list a product outside its breadcrumb, as spells. */
export const extraListing = catalog.table(
  'extra_listing',
  {
    productKey: integer().notNull(),
    categoryKey: integer().notNull(),
    ...spell(),
  },
  // Further indexes are made after the first derivation (src/db/functions/index-products.sql).
  (t) => keyOfSpells('extra_listing', t.productKey, t.categoryKey, t.validFrom),
);
