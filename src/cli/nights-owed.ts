import { plural } from '../base/format.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Queryable } from '../db/client.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import type { Console } from './console.ts';

/** Prints a note if nights are still to be derived, because the answer may be incomplete. Returns whether it did. */
export async function sayNightsOwed(sql: Queryable, console: Console, regions: readonly RegionCode[]) {
  let nights = 0;
  for (const region of regions) nights += await countNightsOwed(sql, region);
  if (nights > 0) console.say(`${nightsOwed(nights)}. Until then, this answer lacks rows.`);
  return nights > 0;
}

/** What every question answers before the first crawl; null: something is published. */
export async function nothingCrawled(sql: Queryable): Promise<string | null> {
  const { rows } = await sql.query('select 1 from marts.snapshot union all select 1 from marts.dim_store limit 1');
  return rows.length > 0 ? null : 'Nothing is crawled yet: run `pricebook start`.';
}

/** Number of nights still to derive, and the process that derives them. */
export function nightsOwed(nights: number): string {
  const are = plural(nights, 'night is', 'nights are');
  return `${are} still to be derived by a worker; \`pricebook migrate\` derives ${nights === 1 ? 'it' : 'them'} now`;
}
