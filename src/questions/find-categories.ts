import { NothingFound } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import { nearestNames } from './nearest-names.ts';
import type { Ask } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

/**
 * Keys of categories with a given id, path or name, ignoring case. Names may end in invisible spaces, so spaces only
 * matter if a category matches exactly. Throws `NothingFound`.
 */
export async function findCategories(ask: Ask, region: RegionCode | undefined, named: string): Promise<number[]> {
  const inRegion = allOf(region !== undefined && sql`region = ${region}`);
  const wanted = sql`${named}::text`;
  const { rows } = await ask(sql`
    with named as (
      select
        category_key,
        category_id = ${wanted} or lower(path) = lower(${wanted}) or lower(name) = lower(${wanted}) as is_exact
      from marts.dim_category
      where ${inRegion}
        and (category_id = ${wanted} or ${seen(sql`path`)} = ${seen(wanted)} or ${seen(sql`name`)} = ${seen(wanted)})
    )
    select category_key from named where is_exact or not exists (select from named where is_exact)`);
  if (rows.length > 0) return rows.map((row) => row['category_key'] as number);
  const known = await ask(sql`select distinct trim(name) as name from marts.dim_category where ${inRegion}`);
  const names = known.rows.map((row) => row['name'] as string);
  const nearest = nearestNames(named, names).map((name) => `"${name}"`);
  const asked = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  throw new NothingFound(
    `No category${region === undefined ? '' : ` of ${region}`} is called "${named}".${asked} marts.dim_category ` +
      'lists all names, paths and ids.',
  );
}

/** Normalised name or path: lower case, single spaces, trimmed. */
const seen = (text: Sql): Sql => sql`trim(regexp_replace(lower(${text}), '\\s+', ' ', 'g'))`;
