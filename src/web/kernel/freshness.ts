import type { Clock } from '../../base/clock.ts';
import { localDate } from '../../base/local-date.ts';
import { type RegionCode, regionCodes, regions } from '../../base/model/index.ts';
import { sql } from '../../questions/sql.ts';
import { dayOf } from '../charts/days.ts';
import type { Reader } from '../reader.ts';
import { longDate, plural, regionName, unsnaked } from './words.ts';

/** Last night of a region, and how old it is. */
export interface Freshness {
  readonly region: RegionCode;
  /** Last certified night; null: none. */
  readonly certified: string | null;
  /** Last night if it is later than the last certified one; otherwise null. */
  readonly later: { readonly date: string; readonly certificate: string } | null;
  /** Days between the certified night and today in the region's time zone. */
  readonly behind: number | null;
  /** Whether the last night was crawled from the simulator. */
  readonly isSimulated: boolean;
  /** Number of certified nights whose figures are still to be derived. */
  readonly owed: number;
}

/** Last night and last certified night of both regions; both are index lookups. */
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
  const counts = regionCodes.map(async (region) => [region, await countNightsOwed(region)] as const);
  const [{ rows }, ...owed] = await Promise.all([reader.ask(lastNights), ...counts]);
  const owedIn = new Map(owed);
  return rows.map(({ certified, last_date: date, last_certificate: certificate, ...row }): Freshness => {
    const region = row['region'] as RegionCode;
    const today = dayOf(localDate(now, regions[region].timeZone));
    return {
      region,
      certified: certified as string | null,
      later: date === null || date === certified ? null : ({ date, certificate } as Freshness['later']),
      behind: certified === null ? null : Math.max(0, today - dayOf(certified as string)),
      isSimulated: row['is_simulated'] === true,
      owed: owedIn.get(region) ?? 0,
    };
  });
}

/** Nights of the simulator are played one after another: a book of them is behind until all are. */
export function isStale({ behind, isSimulated }: Freshness): boolean {
  return behind === null || (behind > 1 && !isSimulated);
}

/** Whether all regions have the same night, and are as they should be. */
export function areUsual([first, ...others]: readonly Freshness[]): boolean {
  const isUsual = (one: Freshness) => one.later === null && one.owed === 0 && !isStale(one);
  return first !== undefined && [first, ...others].every((one) => isUsual(one) && one.certified === first.certified);
}

/** How new the prices are: one sentence if all regions are as they should be, otherwise one per region. */
export function freshnessLines(regionsOfBook: readonly Freshness[]): string[] {
  const [first] = regionsOfBook;
  if (!first?.certified || !areUsual(regionsOfBook)) return regionsOfBook.map(freshnessLine);
  const toPlay = first.behind! > 0 ? [`${plural(first.behind!, 'night')} still to be played`] : [];
  return [
    `Prices of the night of ${longDate(first.certified)}`,
    `${regionsOfBook.map(({ region }) => regionName(region)).join(' and ')} complete`,
    ...(first.isSimulated ? toPlay : []),
  ];
}

function freshnessLine({ region, certified, later, behind, owed, isSimulated }: Freshness): string {
  const { name } = regions[region];
  const last = later === null ? '' : `; the night of ${longDate(later.date)} is ${unsnaked(later.certificate)}`;
  if (certified === null) return `${name}: no complete night yet${last}`;
  const nights = plural(behind!, 'night');
  const age = behind === 0 ? '' : isSimulated ? `, ${nights} still to be played` : `, ${nights} behind`;
  const missing = owed === 0 ? '' : `; figures, indices and offers of ${plural(owed, 'night')} are still to be derived`;
  return `${name}: prices of the night of ${longDate(certified)}${age}${last}${missing}`;
}
