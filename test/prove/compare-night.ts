import type { RegionCode } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { type Difference, differences, inWords } from '../support/truth.ts';

/** Compares a published night with the simulator, product by product, and describes each difference. */
export interface Comparison {
  /** Products that are missing, unexpected or different. */
  readonly wrong: readonly string[];
  /** Correct products that lack their second category. */
  readonly lackingListings: readonly string[];
}

export async function compareNight(
  db: Database,
  simulator: Pick<Simulator, 'truth'>,
  region: RegionCode,
  date: string,
  isLeavingOut = false,
): Promise<Comparison> {
  const found = await differences(db, [...simulator.truth(region, date)], region, date);
  const say = (difference: Difference) => inWords(difference, `${region} ${date}`);
  const isOfListings = ({ known, expected }: Difference) => {
    if (!known || !expected) return false;
    const isSame = JSON.stringify({ ...known, categories: [] }) === JSON.stringify({ ...expected, categories: [] });
    // What a category that is left out lists is that of an earlier night.
    return isSame && (isLeavingOut || known.categories.every((category) => expected.categories.includes(category)));
  };
  return {
    wrong: found.filter((difference) => !isOfListings(difference)).map(say),
    lackingListings: found.filter(isOfListings).map(say),
  };
}
