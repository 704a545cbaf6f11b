import { type RegionCode, regionCodes } from '../base/model/index.ts';
import type { Askable } from '../db/client.ts';
import { countNightsOwed } from '../followers/derive/owed-nights.ts';
import type { Console } from './console.ts';
import { count } from './output/words.ts';

/**
 * Says that nights are still to be derived, where an answer lacks what follows from them. Returns whether there are
 * any.
 */
export async function sayNightsOwed(
  sql: Askable,
  console: Pick<Console, 'say'>,
  regions: readonly RegionCode[] = regionCodes,
): Promise<boolean> {
  let nights = 0;
  for (const region of regions) nights += await countNightsOwed(sql, region);
  if (nights > 0)
    console.say(`${nightsOwed(nights)}; what follows from ${nights === 1 ? 'it' : 'them'} is missing here.`);
  return nights > 0;
}

/** How many are owed, and who pays. */
export function nightsOwed(nights: number): string {
  const are = nights === 1 ? '1 night is' : `${count(nights)} nights are`;
  return `${are} still to be derived: workers do it by themselves, \`pricebook migrate\` does it now`;
}
