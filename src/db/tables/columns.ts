import { customType, timestamp } from 'drizzle-orm/pg-core';

/** An instant; the type of every time column in the database. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** 16 bytes of a sha256, stored as uuid: fixed width, no length header, compared as two words. */
export const hash16 = customType<{ data: string }>({ dataType: () => 'uuid' });

/** Raw bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
