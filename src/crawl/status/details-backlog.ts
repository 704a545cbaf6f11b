import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { choiceQuery, choiceReasons, detailOrder } from '../ledger/detail-choice.ts';

/** Details of a region that are worth a request before any page of the night is read. */
export interface DetailsBacklog {
  /** Number of details worth a request. */
  readonly wanted: number;
  /** Listed products without known details, and with known details. */
  readonly without: number;
  readonly known: number;
  /** Number of details that would be requested now, by reason. */
  readonly chosen: Readonly<Record<string, number>>;
  /** Maximum age of details in days that can be kept; null while products without details use all requests. */
  readonly ageBoundDays: number | null;
  /** The product named by `explain`. */
  readonly explained: Explained | null;
}

/** Why a product's details would be requested, or not. */
export interface Explained {
  readonly productId: string;
  readonly reason: (typeof choiceReasons)[number];
  readonly isWanted: boolean;
  readonly isChosen: boolean;
  /** Null: its details were never read. */
  readonly ageDays: number | null;
  /** Position in the order of requests, from 1. */
  readonly place: number;
}

interface ReasonRow {
  readonly reason: string;
  readonly products: number;
  readonly known: number;
  readonly wanted: number;
  readonly chosen: number;
}

/** Counts the details of a region that are worth a request. `explain` is the id of a product to report on. */
export async function readDetailsBacklog(
  sql: Queryable,
  region: RegionCode,
  { now, limit, maxAgeDays, explain = null }: { now: Date; limit: number; maxAgeDays: number; explain?: string | null },
): Promise<DetailsBacklog> {
  const query = await choiceQuery(sql, { region, at: now, runId: null, limit, maxAgeDays });
  const reasons = await rowsOf<ReasonRow>(
    sql,
    `${query.sql}
     select reason, count(*)::int as products, count(age_days)::int as known,
       (select wanted from counted)::int as wanted,
       (select count(*) from chosen where chosen.reason = candidate.reason)::int as chosen
     from candidate group by reason order by array_position($6::text[], reason)`,
    [...query.values, choiceReasons],
  );
  const sumOf = (field: 'products' | 'known') => reasons.reduce((sum, row) => sum + row[field], 0);
  const known = sumOf('known');
  const refreshed = reasons.find(({ reason }) => reason === 'refresh')?.products ?? 0;
  const perNight = Math.max(0, limit - (sumOf('products') - refreshed));
  return {
    wanted: reasons[0]?.wanted ?? 0,
    without: sumOf('products') - known,
    known,
    chosen: Object.fromEntries(
      reasons.filter(({ chosen }) => chosen > 0).map(({ reason, chosen }) => [reason, chosen]),
    ),
    ageBoundDays: perNight === 0 ? null : Math.max(maxAgeDays, Math.ceil(known / perNight)),
    explained: explain === null ? null : await readExplained(),
  };

  async function readExplained(): Promise<Explained | null> {
    const [row] = await rowsOf<Explained>(
      sql,
      `${query.sql}
       select product_id as "productId", reason, place <= wanted as "isWanted",
         place <= least(wanted, $4) as "isChosen",
         age_days as "ageDays", place::int as place
       from (select *, row_number() over (order by ${detailOrder}) as place from candidate) as placed cross join counted
       where product_id = $6`,
      [...query.values, explain],
    );
    return row ?? null;
  }
}
