import { sql } from './sql.ts';

/** For a row `c` of dim_category: the key of the category with the same id in the other region. */
export const keyOfTwin = sql`(
          select there.category_key from marts.dim_category there
          where there.category_id = c.category_id and there.region <> c.region and there.gone_at is null)`;
