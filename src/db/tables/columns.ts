import { sql } from 'drizzle-orm';
import { bigint, check, customType, type ExtraConfigColumn, primaryKey, timestamp } from 'drizzle-orm/pg-core';

/** A whole number beyond four bytes, read as a number. */
export const long = () => bigint({ mode: 'number' });

/** An instant; the type of every time column in the database. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** From the instant of the run that first saw a value to that of the run that saw another one. */
export const endedSpell = () => ({ validFrom: instant().notNull(), validTo: instant().notNull() });

/** The same; null while it lasts. */
export const spell = () => ({ validFrom: instant().notNull(), validTo: instant() });

/** Key of spells, and the check that each ends after it begins. */
export const keyOfSpells = (name: string, ...columns: [ExtraConfigColumn, ...ExtraConfigColumn[]]) => [
  primaryKey({ columns }),
  check(`${name}_interval`, sql`valid_to > valid_from`),
];

/** 16 bytes of a sha256, stored as uuid: fixed width, no length header, compared as two words. */
export const hash16 = customType<{ data: string }>({ dataType: () => 'uuid' });

/** Raw bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
