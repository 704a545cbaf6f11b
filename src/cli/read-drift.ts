import type { RegionCode } from '../base/model/index.ts';
import type { Queryable } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import type { payloadDrift } from '../db/tables/index.ts';
import type { Finding } from '../followers/drift/compare.ts';

/** Differences between a night's payloads and those of the certified night before it. */
export interface NightDrift {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly runId: number;
  readonly status: string;
  readonly certificate: string | null;
  readonly endpoints: readonly EndpointDrift[];
}

type EndpointDrift = Pick<typeof payloadDrift.$inferSelect, 'endpoint' | 'payloads' | 'comparedWith'> & {
  readonly findings: readonly Finding[];
};

/** Drift of a region's last examined night, by its latest run; none if no night is examined. */
export const readDrift = (db: Queryable, region: RegionCode): Promise<readonly NightDrift[]> =>
  camelRows<NightDrift>(
    db,
    `select r.region, r.snapshot_date, r.run_id, r.status::text, r.verdict::text as certificate, found.endpoints
     from ops.run r
     cross join lateral (
       select jsonb_agg(jsonb_build_object('endpoint', d.endpoint, 'payloads', d.payloads,
         'comparedWith', d.compared_with, 'findings', d.findings) order by d.endpoint) as endpoints
       from ops.payload_drift d where d.run_id = r.run_id and d.payloads > 0
     ) as found
     where r.region = $1 and found.endpoints is not null
     order by r.snapshot_date desc, r.run_id desc
     limit 1`,
    [region],
  );
