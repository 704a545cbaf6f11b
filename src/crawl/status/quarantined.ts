import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Elements of one endpoint that could not be understood for one reason in one kind of place. */
export interface QuarantinedGroup {
  readonly endpoint: string;
  /** Where in the body, indices left out: `data.products[].price`; `$` is the whole of it. */
  readonly path: string;
  readonly reason: string;
  /** Still in quarantine, and healed since. */
  readonly elements: number;
  readonly healed: number;
  readonly runs: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** JSON of the last element, cut at 200 characters. */
  readonly sample: string | null;
}

interface QuarantineFilter {
  readonly endpoint?: string | undefined;
  readonly region?: RegionCode | undefined;
}

/** What is in quarantine, largest groups first; groups that are all healed are left out. */
export async function listQuarantined(
  sql: Askable,
  { endpoint, region }: QuarantineFilter = {},
): Promise<QuarantinedGroup[]> {
  return rowsOf<QuarantinedGroup>(
    sql,
    `select endpoint, place as path, reason, (count(*) filter (where healed_at is null))::int as elements,
       (count(healed_at))::int as healed, (count(distinct run_id) filter (where healed_at is null))::int as runs,
       min(seen_at) filter (where healed_at is null) as "firstSeenAt", max(seen_at) filter (where healed_at is null) as "lastSeenAt",
       left((array_agg(value order by quarantine_id desc) filter (where healed_at is null))[1], 200) as sample
     from ops.quarantine q
     cross join lateral regexp_replace(q.path, '\\[[0-9]+\\]', '[]', 'g') as p (place)
     where ($1::text is null or endpoint = $1) and ($2::text is null or region = $2)
     group by endpoint, place, reason
     having count(*) > count(healed_at)
     order by elements desc, endpoint, place, reason`,
    [endpoint ?? null, region ?? null],
  );
}
