import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { NothingFound } from '../errors.ts';
import type { RegionCode } from '../model/index.ts';
import { nearestNames } from './nearest-names.ts';

/**
 * Keys of categories, by id, path or name; letters great and small are the same. Some names end in spaces, which nobody sees: where none
 * is written as it is named, those count that differ in spaces only. Throws `NothingFound`.
 */
export async function findCategories(sql: Askable, region: RegionCode | null, named: string): Promise<number[]> {
  const found = await rowsOf<{ category_key: number }>(
    sql,
    `with named as (
       select category_key, category_id = $2 or lower(path) = lower($2) or lower(name) = lower($2) as is_exact
       from marts.dim_category
       where ($1::text is null or region = $1)
         and (category_id = $2 or ${seen('path')} = ${seen('$2')} or ${seen('name')} = ${seen('$2')}))
     select category_key from named where is_exact or not exists (select from named where is_exact)`,
    [region, named],
  );
  if (found.length === 0) {
    const names = await rowsOf<{ name: string }>(
      sql,
      `select distinct trim(name) as name from marts.dim_category where $1::text is null or region = $1`,
      [region],
    );
    const nearest = nearestNames(
      named,
      names.map(({ name }) => name),
    ).map((name) => `"${name}"`);
    const asked = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
    throw new NothingFound(
      `No category${region === null ? '' : ` of ${region}`} is called "${named}".${asked} marts.dim_category has the names, paths and ids of all.`,
    );
  }
  return found.map(({ category_key }) => category_key);
}

/** A name or path as people see it: in small letters, with single spaces and none at its ends. */
const seen = (text: string): string => `trim(regexp_replace(lower(${text}), '\\s+', ' ', 'g'))`;
