import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Counts of quarantined elements that the replay changed. */
export interface Healing {
  /** Elements that were quarantined and are now accepted. */
  readonly healed: number;
  /** Elements that were accepted and are now rejected. */
  readonly rejected: number;
}

/** SQL: quarantined elements of replayed payloads that are accepted now. */
const healed = `
  select q.quarantine_id
  from ops.quarantine q
  where q.healed_at is null
    and (q.run_id, q.payload_sha256) in (select run_id, payload_sha256 from ops_replay.reread)
    and q.endpoint = any($1)
    and not exists (
      select from ops_replay.quarantine s
      where s.run_id = q.run_id
        and s.endpoint = q.endpoint
        and s.path = q.path
        and s.payload_sha256 = q.payload_sha256)`;

/** SQL: elements rejected by the replay that are not in quarantine, or were healed before. */
const rejected = `
  select s.*
  from ops_replay.quarantine s
  where not exists (
    select from ops.quarantine q
    where q.healed_at is null
      and q.run_id = s.run_id
      and q.endpoint = s.endpoint
      and q.path = s.path
      and q.payload_sha256 = s.payload_sha256)`;

export async function countHealing(sql: Queryable, endpoints: readonly string[]): Promise<Healing> {
  const [row] = await rowsOf<Healing>(
    sql,
    `select (select count(*) from (${healed}) as h)::int as healed,
       (select count(*) from (${rejected}) as r)::int as rejected`,
    [endpoints],
  );
  return row!;
}

/** Marks accepted elements as healed and quarantines newly rejected ones. */
export async function heal(sql: Queryable, endpoints: readonly string[], now: Date): Promise<void> {
  await sql.query(`update ops.quarantine set healed_at = $2 where quarantine_id in (${healed})`, [endpoints, now]);
  await sql.query(
    `insert into ops.quarantine (run_id, region, endpoint, path, reason, value, payload_sha256, seen_at)
     select run_id, region, endpoint, path, reason, value, payload_sha256, seen_at
     from (${rejected}) as r
     order by quarantine_id`,
  );
}
