import type { Askable, Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { nightsOfYield, rankDetails } from '../ledger/detail-ranking.ts';
import type { RegionCode } from '../model/index.ts';
import { leastChance, urgentShare } from '../plan/refresh-value.ts';
import { missedShare, type ShareEstimate } from '../plan/share-interval.ts';

/** Which details of a region are worth a request before a page of the night is read. */
export interface DetailsBacklog {
  /** Worth a request. */
  readonly wanted: number;
  /** Listed products of which no details are known, and of which some are. */
  readonly without: number;
  readonly known: number;
  /** What would be asked for now, by reason. */
  readonly chosen: Readonly<Record<string, number>>;
  /** No details become older than so many days; null: while products without any come first, nothing can be promised. */
  readonly ageBoundDays: number | null;
  /** What so many requests more would buy. */
  readonly next: {
    readonly requests: number;
    readonly withoutDetails: number;
    /** Products of those refreshed that are expected to have changed. */
    readonly expectedChanges: number;
  };
  /** Share of the detail changes that the plans of the last nights missed; null: nothing was drawn by chance yet. */
  readonly missed: (ShareEstimate & { readonly asked: number }) | null;
  /** The product that was asked about. */
  readonly explained: Explained | null;
}

/** Why a product would be asked for, or not. */
export interface Explained {
  readonly productId: string;
  /** null: it would not. */
  readonly reason: string | null;
  readonly isNew: boolean;
  readonly isUrgent: boolean;
  readonly chance: number | null;
  readonly ageDays: number | null;
  /** Changes a day. */
  readonly rate: number | null;
  readonly visits: number | null;
  /** By value among the products whose details are known. */
  readonly place: number | null;
}

const nextRequests = 10_000;

/** Ranks what is known of a region's details and leaves nothing behind. `explain` is the id of a product. */
export async function readDetailsBacklog(
  db: Database,
  region: RegionCode,
  { now, limit, maxAgeDays, explain = null }: { now: Date; limit: number; maxAgeDays: number; explain?: string | null },
): Promise<DetailsBacklog> {
  return db.tx(async (tx) => {
    const seed = `${region} ${now.toISOString().slice(0, 10)}`;
    const { wanted } = await rankDetails(tx, { region, at: now, runId: null, limit, maxAgeDays, seed });
    const [counts] = await rowsOf<{ without: number; known: number }>(
      tx,
      `select (count(*) filter (where is_new))::int as without, (count(*) filter (where not is_new))::int as known from detail_candidate`,
    );
    const chosen = await rowsOf<{ reason: string; products: number }>(
      tx,
      'select reason, count(*)::int as products from detail_choice group by reason order by min(place)',
    );
    const { without, known } = counts!;
    const perNight = Math.max(0, limit - without) * urgentShare;
    return {
      wanted,
      without,
      known,
      chosen: Object.fromEntries(chosen.map(({ reason, products }) => [reason, products])),
      ageBoundDays: perNight === 0 ? null : Math.max(maxAgeDays, Math.ceil(known / perNight)),
      next: await readNext(tx),
      missed: await readMissed(tx, region),
      explained: explain === null ? null : await readExplained(tx, explain),
    };
  });
}

async function readNext(tx: Askable): Promise<DetailsBacklog['next']> {
  const [next] = await rowsOf<DetailsBacklog['next']>(
    tx,
    `select count(*)::int as requests, (count(*) filter (where is_new))::int as "withoutDetails",
       coalesce(sum(chance) filter (where not is_new), 0)::float8 as "expectedChanges"
     from (
       select is_new, chance from detail_candidate c
       where not exists (select from detail_choice d where d.product_id = c.product_id)
         and (is_new or chance >= ${leastChance})
       order by is_new desc, value desc, product_id limit ${nextRequests}
     ) as further`,
  );
  return next!;
}

async function readMissed(tx: Askable, region: RegionCode): Promise<DetailsBacklog['missed']> {
  const [found] = await rowsOf<{ asked: number; changed: number; leftOut: number; found: number }>(
    tx,
    `select
       coalesce(sum(y.visits) filter (where y.reason = 'audit'), 0)::int as asked,
       coalesce(sum(y.changes) filter (where y.reason = 'audit'), 0)::int as changed,
       coalesce(sum(f.details_left_out) filter (where y.reason = 'audit'), 0)::float8 as "leftOut",
       coalesce(sum(y.changes) filter (where y.reason not in ('audit', 'missing', 'delist')), 0)::int as found
     from (select run_id from ops.run where region = $1 and status = 'published' order by observed_at desc limit ${nightsOfYield}) as r
     join ops.detail_yield y using (run_id) join ops.run_forecast f using (run_id)`,
    [region],
  );
  const share = missedShare(found!);
  return share && { ...share, asked: found!.asked };
}

async function readExplained(tx: Askable, productId: string): Promise<Explained | null> {
  const [row] = await rowsOf<Explained>(
    tx,
    `select c.product_id as "productId", d.reason, c.is_new as "isNew", coalesce(c.is_urgent, false) as "isUrgent", c.chance,
       c.age_days as "ageDays", c.rate, c.visits,
       case when not c.is_new then (select count(*)::int + 1 from detail_candidate other where not other.is_new and other.value > c.value) end as place
     from detail_candidate c left join detail_choice d using (product_id)
     where c.product_id = $1`,
    [productId],
  );
  return row ?? null;
}
