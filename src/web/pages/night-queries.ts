import type { RegionCode } from '../../base/model/index.ts';
import { fields } from '../../questions/question.ts';
import { allOf, type Sql, sql } from '../../questions/sql.ts';
import type { Query } from '../page.ts';

export interface Judged {
  readonly run_id: number;
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly status: string;
  readonly certificate: string;
  readonly reasons: string;
  readonly released_because: string | null;
  readonly categories_in_taxonomy: number | null;
  readonly pages_planned: number | null;
  readonly pages_read_again: number | null;
  readonly samples: number | null;
  readonly products_asked_after: number | null;
  readonly requests_spent: number | null;
  readonly cost: string | null;
  readonly currency: string | null;
  readonly items_received: number | null;
  readonly items_in_quarantine: number | null;
  readonly distinct_products: number | null;
  readonly usual_products: string | null;
  readonly unseen_products: number | null;
  readonly unseen_for_sale: number | null;
  readonly products_listed: number | null;
  readonly products_available: number | null;
  readonly content_hash: string | null;
  readonly verified_at: Date | null;
  readonly is_verified: boolean | null;
  readonly origin: string;
  readonly upstream: string | null;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly declared: string | null;
  readonly walked: string;
  readonly pages_read: string | null;
  readonly pages_failed: string | null;
  readonly earlier_date: string | null;
  readonly later_date: string | null;
  /** The last night that was published after it. */
  readonly last_date: string | null;
}

/**
 * The run that is asked for, if it is one of the region and the night; without one the last of the night that was
 * judged; without a night, of all.
 */
export function judgedRun(region: RegionCode, date: string | undefined, run: number | undefined): Sql {
  return sql`(
    select run_id from marts.certificate
    where ${allOf(
      sql`region = ${region}`,
      date !== undefined && sql`snapshot_date = ${date}`,
      run !== undefined && sql`run_id = ${run}`,
    )}
    order by observed_at desc limit 1)`;
}

/** The verdict with its evidence, and the nights beside it. */
export function certificateOf(run: Sql): Query<Judged> {
  return {
    caption: 'Certificate',
    sql: sql`
      select
        c.*, walk.declared, walk.walked, walk.pages_read, walk.pages_failed,
        (select max(s.snapshot_date) from marts.snapshot s
          where s.region = c.region and s.snapshot_date < c.snapshot_date) as earlier_date,
        (select min(s.snapshot_date) from marts.snapshot s
          where s.region = c.region and s.snapshot_date > c.snapshot_date) as later_date,
        (select max(later.snapshot_date) from marts.certificate later
          where later.region = c.region and later.status = 'published' and later.observed_at > c.observed_at) as last_date
      from marts.certificate c
      cross join lateral (
        select
          sum(declared_last) as declared, count(*) as walked, sum(pages_read) as pages_read, sum(pages_failed) as pages_failed
        from marts.certificate_category k
        where k.run_id = c.run_id and not k.is_sample
      ) as walk
      where c.run_id = ${run}`,
    columns: fields('region', 'snapshot_date', 'certificate'),
  };
}

const categoriesShown = 300;

/** What each category declared and what came of it, those that fell short first. */
export function categoriesOf(run: Sql): Query {
  return {
    caption: 'What was asked for and declared, by category',
    sql: sql`
      select path, declared_first, declared_last, distinct_products, missing_products, pages_planned, pages_read, pages_failed,
        items_received, items_in_quarantine
      from marts.certificate_category
      where run_id = ${run} and not is_sample
      order by missing_products desc nulls first, pages_failed desc, path
      limit ${categoriesShown}`,
    columns: [
      { name: 'path', heading: 'Category' },
      { name: 'declared_first', heading: 'Declared at first', as: 'number' },
      { name: 'declared_last', heading: 'Declared at last', as: 'number' },
      { name: 'distinct_products', heading: 'Seen', as: 'number' },
      { name: 'missing_products', heading: 'Missing', as: 'number' },
      { name: 'pages_planned', heading: 'Pages planned', as: 'number' },
      { name: 'pages_read', heading: 'Read', as: 'number' },
      { name: 'pages_failed', heading: 'Failed', as: 'number' },
      { name: 'items_in_quarantine', heading: 'Quarantined', as: 'number' },
    ],
    none: 'No category was asked for.',
  };
}

export function findingsOf(run: Sql): Query {
  return {
    caption: 'What the checks found',
    sql: sql`
      select severity, name, found, message, samples
      from marts.check_finding
      where run_id = ${run}
      order by severity, name`,
    columns: [
      { name: 'severity', heading: 'Severity' },
      { name: 'name', heading: 'Check' },
      { name: 'found', heading: 'Found', as: 'number' },
      { name: 'message', heading: 'What it says' },
      { name: 'samples', heading: 'Some of them' },
    ],
    none: 'The checks found nothing to remark on.',
  };
}

export function quarantineOf(run: Sql): Query<{ readonly elements: string; readonly healed: string }> {
  return {
    caption: 'What could not be understood',
    sql: sql`
      select endpoint, path, reason, elements, healed, sample
      from marts.quarantine_reason
      where run_id = ${run}
      order by elements desc, endpoint, path, reason
      limit 200`,
    columns: [
      { name: 'endpoint', heading: 'Endpoint' },
      { name: 'path', heading: 'Where' },
      { name: 'reason', heading: 'Why' },
      { name: 'elements', heading: 'Elements', as: 'number' },
      { name: 'healed', heading: 'Healed since', as: 'number' },
      { name: 'sample', heading: 'One of them' },
    ],
    none: 'Every element was understood.',
  };
}

/** Places in the payloads that were not there on the certified night before, are there no more, or have other types. */
export function driftOf(run: Sql): Query<{ readonly what: string }> {
  return {
    caption: 'How the payloads differ from the certified night before',
    sql: sql`
      with before as (
        select c.run_id
        from marts.certificate this
        join marts.certificate c on c.region = this.region and c.observed_at < this.observed_at
        where this.run_id = ${run} and c.status = 'published' and c.certificate <> 'partial'
        order by c.observed_at desc
        limit 1
      ), now_seen as (
        select * from marts.payload_field where run_id = ${run}
      ), then_seen as (
        select * from marts.payload_field where run_id = (select run_id from before)
      )
      select
        coalesce(n.endpoint, t.endpoint) as endpoint,
        coalesce(n.path, t.path) as path,
        case when t.path is null then 'new' when n.path is null then 'gone' else 'other types' end as what,
        t.types as types_before, n.types as types_now, t.seen as seen_before, n.seen as seen_now
      from now_seen n
      full join then_seen t on t.endpoint = n.endpoint and t.path = n.path
      where t.types is distinct from n.types
        -- An endpoint that one of the two nights did not ask is no difference.
        and coalesce(n.endpoint, t.endpoint) in (select endpoint from now_seen intersect select endpoint from then_seen)
      order by what, 1, 2
      limit 200`,
    columns: [
      { name: 'endpoint', heading: 'Endpoint' },
      { name: 'path', heading: 'Where' },
      ...fields('what', 'types_before', 'types_now'),
      { name: 'seen_before', heading: 'Seen before', as: 'number' },
      { name: 'seen_now', heading: 'Seen now', as: 'number' },
    ],
    none: 'The payloads are as they were, or there is no night to compare them with.',
  };
}
