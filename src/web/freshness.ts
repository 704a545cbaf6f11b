import type { Clock } from '../base/clock.ts';
import { type RegionCode, regions } from '../base/model/index.ts';
import { sql } from '../questions/sql.ts';
import { localDate } from '../source/normalise/promotion-date.ts';
import { dayOf } from './charts/days.ts';
import type { Reader } from './reader.ts';
import { number, unsnaked } from './words.ts';

/** How far a region's book reaches. */
export interface Freshness {
  readonly region: RegionCode;
  /** The last certified night; null: there is none. */
  readonly certified: string | null;
  /** The last night, and its certificate, where that is not certified. */
  readonly later: { readonly date: string; readonly certificate: string } | null;
  /** Days from the certified night to today in the region. */
  readonly behind: number | null;
  /** Whether the last night was crawled from the simulator: an invented supermarket. */
  readonly isSimulated: boolean;
  /** Certified nights whose figures, indices and promotions are not there yet. */
  readonly owed: number;
}

/** Newest nights of both regions. Two rows each, found from the end. */
const lastNights = sql`
  select
    r.region,
    (select max(s.snapshot_date) from marts.snapshot s
      where s.region = r.region and s.certificate in ('complete', 'complete_within_tolerance')) as certified,
    last.snapshot_date as last_date,
    last.certificate as last_certificate,
    (select judged.upstream like 'simulator %' from marts.certificate judged where judged.run_id = last.run_id)
      as is_simulated
  from marts.dim_region r
  left join lateral (
    select s.snapshot_date, s.certificate, s.run_id from marts.snapshot s
    where s.region = r.region order by s.snapshot_date desc limit 1
  ) as last on true
  order by r.region desc`;

export interface FreshnessNeeds {
  readonly reader: Reader;
  readonly clock: Clock;
  countNightsOwed(region: RegionCode): Promise<number>;
}

export async function readFreshness({ reader, clock, countNightsOwed }: FreshnessNeeds): Promise<Freshness[]> {
  const now = clock.now();
  const { rows } = await reader.ask(lastNights);
  const owed = await Promise.all(rows.map((row) => countNightsOwed(row['region'] as RegionCode)));
  return rows.map((row, i) => {
    const region = row['region'] as RegionCode;
    const certified = row['certified'] as string | null;
    const last = row['last_date'] as string | null;
    const today = localDate(now, regions[region].timeZone);
    return {
      region,
      certified,
      later:
        last !== null && last !== certified ? { date: last, certificate: row['last_certificate'] as string } : null,
      behind: certified === null ? null : Math.max(0, dayOf(today) - dayOf(certified)),
      isSimulated: row['is_simulated'] === true,
      owed: owed[i]!,
    };
  });
}

/** One line a region, for the head of every page. */
export function freshnessLine({ region, certified, later, behind, owed }: Freshness): string {
  const { name } = regions[region];
  const last = later === null ? '' : `; the night of ${later.date} is ${unsnaked(later.certificate)}`;
  if (certified === null) return `${name}: no certified night yet${last}`;
  const age = behind === 0 ? 'tonight’s' : behind === 1 ? '1 night behind' : `${behind} nights behind`;
  const missing =
    owed === 0
      ? ''
      : `; figures, indices and promotions of ${owed === 1 ? '1 night' : `${number(owed)} nights`} are still to be derived`;
  return `${name}: certified night ${certified}, ${age}${last}${missing}`;
}
