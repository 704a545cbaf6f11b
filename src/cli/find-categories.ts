import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { NothingFound } from '../errors.ts';
import type { RegionCode } from '../model/index.ts';

/** Keys of categories, by id, path or name; letters great and small are the same. Throws `NothingFound`. */
export async function findCategories(sql: Askable, region: RegionCode | null, named: string): Promise<number[]> {
  const found = await rowsOf<{ category_key: number }>(
    sql,
    `select category_key from marts.dim_category
     where ($1::text is null or region = $1)
       and (category_id = $2 or lower(path) = lower($2) or lower(name) = lower($2))`,
    [region, named],
  );
  if (found.length === 0) {
    throw new NothingFound(
      `No category${region === null ? '' : ` of ${region}`} is called "${named}": marts.dim_category has their names, paths and ids.`,
    );
  }
  return found.map(({ category_key }) => category_key);
}
