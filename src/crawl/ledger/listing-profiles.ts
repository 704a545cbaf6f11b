import type { ListingName, RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Behaviour of a listing in a region, as found by a probe. */
interface ListingProfile {
  readonly listing: ListingName;
  readonly region: RegionCode;
  readonly host: string;
  readonly probedAt: Date;
  /** Products on a full page; null if no page states it. */
  readonly pageSize: number | null;
  readonly report: unknown;
}

/** Stores a profile, replacing the one before. */
export async function keepProfile(sql: Queryable, profile: ListingProfile): Promise<void> {
  const { listing, region, host, probedAt, pageSize, report } = profile;
  await sql.query(
    `insert into ops.listing_profile (listing, region, host, probed_at, page_size, report)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (listing, region) do update
     set host = excluded.host, probed_at = excluded.probed_at, page_size = excluded.page_size,
       report = excluded.report`,
    [listing, region, host, probedAt, pageSize, JSON.stringify(report)],
  );
}

/** Products on a full page according to the region's last probe; null if unknown. */
export async function profiledPageSize(sql: Queryable, region: RegionCode): Promise<number | null> {
  const [row] = await rowsOf<{ pageSize: number | null }>(
    sql,
    `select page_size as "pageSize" from ops.listing_profile where listing = 'grocery' and region = $1`,
    [region],
  );
  return row?.pageSize ?? null;
}
