import type { RegionCode } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { type Difference, differences, inWords } from '../support/truth.ts';

/** A published night held against what the simulator showed, product by product; each difference in words. */
export interface Comparison {
  /** Products that are missing, too many, or not as they were. */
  readonly wrong: readonly string[];
  /** Products that are as they were, but not known to be listed in a second category. */
  readonly lackingListings: readonly string[];
}

export async function compareNight(
  db: Database,
  simulator: Pick<Simulator, 'truth'>,
  region: RegionCode,
  date: string,
): Promise<Comparison> {
  const found = await differences(db, [...simulator.truth(region, date)], region, date);
  const say = (difference: Difference) => inWords(difference, `${region} ${date}`);
  return {
    wrong: found.filter((difference) => !lacksListingsOnly(difference)).map(say),
    lackingListings: found.filter(lacksListingsOnly).map(say),
  };
}

function lacksListingsOnly({ known, expected }: Difference): boolean {
  if (!known || !expected) return false;
  const isSame = JSON.stringify({ ...known, categories: [] }) === JSON.stringify({ ...expected, categories: [] });
  return isSame && known.categories.every((category) => expected.categories.includes(category));
}
