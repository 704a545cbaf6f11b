import { localDate } from '../../base/local-date.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { readLastNight } from '../ledger/last-night.ts';
import { type Forecast, forecastNight } from '../plan/forecast.ts';

/** State of a region's night before it is planned. */
export interface Tonight {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  /** `open`: only the remaining work counts; `certified`: no requests are sent. */
  readonly state: 'ahead' | 'open' | 'certified';
  /** Units that tonight's open run has spent. */
  readonly spent: number;
  readonly open: OpenRun | null;
  /** Whether no night of the region is published. */
  readonly isFirst: boolean;
  forecast(maxDetails: number): Forecast;
}

interface TonightNeeds {
  readonly now: Date;
  /** Whether a certified night is crawled again. */
  readonly again: boolean;
  /** Assumed number of products of a region before its first night. */
  readonly assumedProducts: number;
  readonly requestsPerSecond: number;
  /** Details worth a request before any page is read. */
  readonly backlog: number;
}

export async function readTonight(sql: Queryable, region: RegionCode, needs: TonightNeeds): Promise<Tonight> {
  const { now, again, assumedProducts, requestsPerSecond, backlog } = needs;
  const snapshotDate = localDate(now, regions[region].timeZone);
  const last = await readLastNight(sql, region);
  const [row] = await rowsOf<TonightRow>(sql, selectTonight, [region, snapshotDate]);
  return {
    region,
    snapshotDate: row?.openDate ?? snapshotDate,
    state: row?.phase ? 'open' : row?.isCertified && !again ? 'certified' : 'ahead',
    spent: row?.spent ?? 0,
    open: row?.phase ? { ...row, phase: row.phase } : null,
    isFirst: row?.isFirst ?? true,
    forecast: (maxDetails) => forecastNight({ last, maxDetails, backlog, assumedProducts, requestsPerSecond }),
  };
}

/** Progress of an open run. */
export interface OpenRun {
  readonly phase: string;
  /** Requests sent for pages and details. */
  readonly pagesSent: number;
  readonly detailsSent: number;
  /** Planned pages and details that are still to do. */
  readonly pagesLeft: number;
  readonly detailsLeft: number;
}

interface TonightRow extends Omit<OpenRun, 'phase'> {
  readonly isFirst: boolean;
  readonly isCertified: boolean;
  /** Null: there is no open run. */
  readonly phase: string | null;
  readonly openDate: string | null;
  readonly spent: number;
}

/** An open run is continued, whichever night it belongs to. */
const selectTonight = `
  select
    not exists (select from ops.published_run r where r.region = $1) as "isFirst",
    coalesce((select r.verdict <> 'partial' from ops.run r
      where r.region = $1 and r.snapshot_date = $2 and r.status in ('published', 'held')
      order by r.run_id desc limit 1), false) as "isCertified",
    o.phase::text as phase,
    o.snapshot_date::text as "openDate",
    coalesce((select sum(units) from ops.spend s where s.run_id = o.run_id), 0)::int as spent,
    coalesce((
      select sum(sent) from ops.spend s
      where s.run_id = o.run_id and s.endpoint like '%-category-page'), 0)::int as "pagesSent",
    coalesce((
      select sum(sent) from ops.spend s
      where s.run_id = o.run_id and s.endpoint like '%-product-details'), 0)::int as "detailsSent",
    (select count(*) from ops.category_page p where p.run_id = o.run_id and p.status = 'planned')::int as "pagesLeft",
    (select count(*) from ops.detail_fetch d where d.run_id = o.run_id and d.status = 'planned')::int as "detailsLeft"
  from (select 1) as one
  left join ops.run o on o.region = $1 and o.status = 'open'`;
