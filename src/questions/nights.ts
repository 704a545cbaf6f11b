import { fields } from './columns.ts';
import { choice, dateAbout, EitherRegion, Since, Until, wholeNumber, within } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Marks and names of certificates and of nights without one. */
export const certificateNames = {
  complete: '✓ complete',
  complete_within_tolerance: '≈ complete within tolerance',
  partial: '! partial',
} as const;

/** Conditions by the word for a kind of nights. */
const kinds = {
  certified: sql`status = 'published' and certificate <> 'partial'`,
  partial: sql`status = 'published' and certificate = 'partial'`,
  missed: sql`status = 'missed'`,
  unpublished: sql`status in ('held', 'abandoned', 'expired', 'open')`,
  incomplete: sql`(status <> 'published' or certificate = 'partial')`,
} as const;

export const nights = defineQuestion({
  name: 'nights',
  about: 'nights with their certificates, including missed nights, newest first',
  parameters: {
    region: EitherRegion,
    kind: choice(
      ['certified', 'partial', 'missed', 'unpublished', 'incomplete'],
      'only nights of this kind; unpublished is held, abandoned, expired or open, incomplete all but certified',
    ),
    date: dateAbout('only this night'),
    run: wholeNumber(1, 2_147_483_647).optional().meta({ description: 'only this run' }),
    since: Since,
    until: Until,
  },
  columns: [
    ...fields('snapshot_date', 'region'),
    { name: 'status', heading: 'State' },
    { name: 'verdict', heading: 'Certificate', names: { ...certificateNames, held: '! held by a check' } },
    { name: 'certificate', names: certificateNames },
    { name: 'products_listed', heading: 'Listed', as: 'number' },
    { name: 'products_available', heading: 'For sale', as: 'number' },
    { name: 'requests_spent', heading: 'Requests', as: 'number' },
    { name: 'cost', as: 'money' },
    { name: 'currency', mayBeNull: true },
    { name: 'items_in_quarantine', heading: 'Quarantined', as: 'number' },
    { name: 'is_verified', heading: 'Verified', as: 'yes-no' },
    ...fields('reasons', 'started_at', 'finished_at'),
    { name: 'run_id', heading: 'Run', as: 'key' },
  ],
  key: ['region', 'snapshot_date', 'run_id'],
  table: () => [
    ...(['snapshot_date', 'region', 'verdict', 'products_listed', 'products_available'] as const),
    ...(['requests_spent', 'cost', 'items_in_quarantine', 'is_verified'] as const),
  ],
  rows: ({ region, kind, date, run, ...dates }) => sql`
    select *, case when status = 'published' then certificate else status end as verdict
    from (
      select
        snapshot_date, region, status, certificate, products_listed, products_available, requests_spent, cost, currency,
        items_in_quarantine, is_verified, reasons, started_at, finished_at, run_id
      from marts.certificate
      union all
      select snapshot_date, region, 'missed', null, null, null, null, null, null, null, null, null, null, null, null
      from marts.missed_night
    ) as night
    where ${allOf(
      region && sql`region = ${region}`,
      kind && kinds[kind],
      date && sql`snapshot_date = ${date}`,
      run !== undefined && sql`run_id = ${run}`,
      within(sql`snapshot_date`, dates),
    )}`,
  order: () => sql`snapshot_date desc, region desc, run_id desc`,
  none: () => 'There is no such night.',
});
