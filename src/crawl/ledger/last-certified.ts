import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** The last certified night of a region. */
interface LastCertified {
  readonly region: RegionCode;
  /** When it was published. */
  readonly finishedAt: Date;
}

/** The last certified night of each region that has one. */
export async function readLastCertified(sql: Queryable): Promise<LastCertified[]> {
  return rowsOf<LastCertified>(
    sql,
    `select distinct on (region) region, finished_at as "finishedAt" from ops.certified_run
     where finished_at is not null
     order by region, observed_at desc`,
  );
}
