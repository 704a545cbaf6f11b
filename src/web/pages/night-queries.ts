import type { RegionCode } from '../../base/model/index.ts';
import { quarantine } from '../../questions/quarantine.ts';
import { columnsOf, fields } from '../../questions/question.ts';
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
}

/**
 * The run with the given id, region and night. Without an id: the night's last certified run. Without a night: the
 * region's last.
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

/** Certificate with its evidence, and the nights before and after. */
export function certificateOf(run: Sql): Query<Judged> {
  return {
    caption: 'Certificate',
    sql: sql`
      select
        c.*, walk.declared, walk.walked, walk.pages_read, walk.pages_failed,
        (select max(s.snapshot_date) from marts.snapshot s
          where s.region = c.region and s.snapshot_date < c.snapshot_date) as earlier_date,
        (select min(s.snapshot_date) from marts.snapshot s
          where s.region = c.region and s.snapshot_date > c.snapshot_date) as later_date
      from marts.certificate c
      cross join lateral (
        select
          sum(declared_last) as declared, count(*) as walked, sum(pages_read) as pages_read,
          sum(pages_failed) as pages_failed
        from marts.certificate_category k
        where k.run_id = c.run_id and not k.is_sample
      ) as walk
      where c.run_id = ${run}`,
    columns: fields('region', 'snapshot_date', 'certificate'),
  };
}

const categoriesShown = 300;

/** Declared and received products by category; categories with missing products first. */
export function categoriesOf(run: Sql): Query {
  return {
    caption: 'Declared and received, by category',
    sql: sql`
      select
        path, declared_first, declared_last, distinct_products, missing_products, pages_planned, pages_read,
        pages_failed, items_received, items_in_quarantine
      from marts.certificate_category
      where run_id = ${run} and not is_sample
      order by missing_products desc nulls first, pages_failed desc, path
      limit ${categoriesShown}`,
    columns: [
      { name: 'path', heading: 'Category' },
      { name: 'declared_first', heading: 'Declared first', as: 'number' },
      { name: 'declared_last', heading: 'Declared last', as: 'number' },
      { name: 'distinct_products', heading: 'Seen', as: 'number' },
      { name: 'missing_products', heading: 'Missing', as: 'number' },
      { name: 'pages_planned', heading: 'Pages planned', as: 'number' },
      { name: 'pages_read', heading: 'Read', as: 'number' },
      { name: 'pages_failed', heading: 'Failed', as: 'number' },
      { name: 'items_in_quarantine', heading: 'Quarantined', as: 'number' },
    ],
    none: 'No category was requested.',
  };
}

export function findingsOf(run: Sql): Query {
  return {
    caption: 'Findings of the checks',
    sql: sql`
      select severity, name, found, message, samples
      from marts.check_finding
      where run_id = ${run}
      order by severity, name`,
    columns: [
      { name: 'severity', heading: 'Severity' },
      { name: 'name', heading: 'Check' },
      { name: 'found', heading: 'Found', as: 'number' },
      { name: 'message', heading: 'Message' },
      { name: 'samples', heading: 'Samples' },
    ],
    none: 'The checks found no problem.',
  };
}

/** Quarantined elements that no replay has healed. */
export function quarantineOf(run: Sql): Query {
  return {
    caption: 'Quarantined elements',
    sql: quarantine.sql({ run }, { limit: 200 }),
    columns: columnsOf(quarantine, 'endpoint', 'path', 'reason', 'elements', 'sample'),
    none: 'No element is in quarantine.',
  };
}
