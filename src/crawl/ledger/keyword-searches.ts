import type { RegionCode } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Maximum attempts per keyword and night. */
export const maxSearchAttempts = 3;

/** Time for which a claimed keyword is left to its process, in milliseconds. */
const askingMs = 120_000;

export interface SearchNight {
  readonly region: RegionCode;
  readonly snapshotDate: string;
}

/** Creates access to the keyword searches of a night: planned, done or failed. */
export function createKeywordSearches(db: Database) {
  return {
    async plan({ region, snapshotDate }: SearchNight, keywords: readonly string[]): Promise<void> {
      await db.query(
        `insert into ops.keyword_search (region, keyword, snapshot_date)
         select $1, unnest($3::text[]), $2 on conflict do nothing`,
        [region, snapshotDate, keywords],
      );
    },

    /** Claims a keyword that is due; null if there is none. */
    async claim(
      { region, snapshotDate }: SearchNight,
      now: Date,
    ): Promise<{ keyword: string; attempts: number } | null> {
      const [claimed] = await rowsOf<{ keyword: string; attempts: number }>(
        db,
        `update ops.keyword_search u set attempts = attempts + 1, not_before = $3::timestamptz + $4 * interval '1 ms'
         where region = $1 and snapshot_date = $2 and keyword = (
           select keyword from ops.keyword_search
           where region = $1 and snapshot_date = $2 and status = 'planned' and (not_before is null or not_before <= $3)
           order by keyword limit 1 for update skip locked)
         returning keyword, attempts`,
        [region, snapshotDate, now, askingMs],
      );
      return claimed ?? null;
    },

    /** Settles a claimed keyword that was not searched: for good, or until it is due again (null: at once). */
    async settle(
      { region, snapshotDate }: SearchNight,
      keyword: string,
      { isOver, costsAttempt, why, until }: { isOver: boolean; costsAttempt: boolean; why: string; until: Date | null },
    ): Promise<void> {
      await db.query(
        `update ops.keyword_search
         set not_before = $4, error = $5, attempts = attempts - case when $6 then 0 else 1 end,
           status = case when $7 then 'failed' else status end
         where region = $1 and snapshot_date = $2 and keyword = $3 and status = 'planned'`,
        [region, snapshotDate, keyword, until, why, costsAttempt, isOver],
      );
    },

    /** Whether a keyword of the night is due. */
    async anyOutstanding({ region, snapshotDate }: SearchNight, now: Date): Promise<boolean> {
      const rows = await rowsOf(
        db,
        `select 1 from ops.keyword_search
         where region = $1 and snapshot_date = $2 and status = 'planned'
           and (not_before is null or not_before <= $3)
         limit 1`,
        [region, snapshotDate, now],
      );
      return rows.length > 0;
    },
  };
}

export type KeywordSearches = ReturnType<typeof createKeywordSearches>;
