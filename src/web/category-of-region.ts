import { type RegionCode, regions } from '../base/model/index.ts';
import { sql } from '../questions/sql.ts';
import type { Page } from './page.ts';
import type { Reader } from './reader.ts';
import { text } from './words.ts';

/** Parameters with a category of the right region, and a notice if the requested category does not exist there. */
export interface OfOneRegion {
  readonly parameters: Record<string, unknown>;
  readonly notice: string | null;
}

/**
 * Category keys are specific to a region. Maps the requested category to the category of the requested region with the
 * same path or, failing that, the same id. If there is none, drops the category and sets `notice`.
 */
export async function withCategoryOfRegion(
  page: Page,
  parameters: Record<string, unknown>,
  reader: Reader,
): Promise<OfOneRegion> {
  const { category, region } = parameters;
  if (category === undefined || region === undefined || !('category' in page.parameters.shape)) {
    return { parameters, notice: null };
  }
  const { rows } = await reader.ask(sql`
    select asked.region, asked.path, namesake.category_key as namesake
    from marts.dim_category asked
    left join lateral (
      select c.category_key
      from marts.dim_category c
      where c.region = ${region} and (c.path = asked.path or c.category_id = asked.category_id)
      order by c.gone_at is not null, c.path <> asked.path, c.category_key
      limit 1
    ) as namesake on asked.region <> ${region}
    where asked.category_key = ${category}`);
  const asked = rows[0];
  if (asked?.['region'] === region) return { parameters, notice: null };
  if (asked && asked['namesake'] !== null) {
    return { parameters: { ...parameters, category: asked['namesake'] }, notice: null };
  }
  return {
    parameters: { ...parameters, category: undefined },
    notice: asked
      ? `${regions[region as RegionCode].name} has no category “${text(asked['path'])}”.`
      : `No category has the key ${String(category)}.`,
  };
}
