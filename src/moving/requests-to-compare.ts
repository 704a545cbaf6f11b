import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { ListingName } from '../model/index.ts';

/** A request that both hosts are given: path and query as they are sent. */
export interface RequestToCompare {
  readonly target: string;
  /** The body that the old host last answered with, by its hash; null: none is kept. */
  readonly archived: string | null;
}

/** The latest request to each endpoint of the listing that was answered, the smallest of its answers first; one each. */
export async function recordedRequests(sql: Askable, listing: ListingName, host: string): Promise<RequestToCompare[]> {
  return rowsOf<RequestToCompare>(
    sql,
    `select distinct on (p.endpoint) p.request as target, encode(b.sha256, 'hex') as archived
     from (select * from ops.payload where listing = $1 and host = $2 and status = 200 order by payload_id desc limit 2000) p
     left join ops.payload_body b on b.sha256 = p.sha256
     order by p.endpoint, p.request like '%?%' desc, p.payload_id desc`,
    [listing, host],
  );
}

/** Asks for nothing that exists, so that both show how they refuse: a request without what it needs, or an unknown path. */
export function refusedRequest(targets: readonly string[]): string {
  const asking = targets.find((target) => target.includes('?'));
  return asking === undefined ? '/no-such-endpoint' : asking.slice(0, asking.indexOf('?'));
}
