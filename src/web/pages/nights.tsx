import { z } from 'zod';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { fields } from '../../questions/question.ts';
import { allOf, PageRows, type Sql, sql } from '../../questions/sql.ts';
import { DataTable, filled, TableCard } from '../data-table.tsx';
import { NightCalendars, nightsInOneSentence, nightsOfHalfYear } from '../night-calendars.tsx';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Choice, Filters, Pager } from '../parts.tsx';
import { shortDate } from '../words.ts';
import { CertificateMeanings, certificateWords } from './certificate-words.tsx';

interface Night {
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly run_id: number | null;
  readonly certificate: string | null;
  readonly status: string | null;
}

const rowsOfPage = 60;

const nightsWith = (caption: string, conditions: readonly (Sql | false)[], limit: Sql): Query<Night> => ({
  caption,
  sql: sql`
        with night as (
          select night.region, night.snapshot_date, night.run_id, night.status, night.certificate
          from (
            select c.region, c.snapshot_date, c.run_id, c.status, c.certificate from marts.certificate c
            union all
            select m.region, m.snapshot_date, null, 'missed', null from marts.missed_night m
          ) as night
          where ${allOf(...conditions)}
          order by night.snapshot_date desc, night.region desc, night.run_id desc
          limit ${limit}
        )
        -- Evidence is read for the nights shown only.
        select
          night.*, c.products_listed, c.products_available, c.requests_spent, c.cost, c.currency, c.is_verified,
          (select count(*) from marts.check_finding f where f.run_id = night.run_id) as findings,
          c.items_in_quarantine as quarantined
        from night
        left join marts.certificate c on c.run_id = night.run_id
        order by night.snapshot_date desc, night.region desc, night.run_id desc`,
  columns: [
    ...fields('snapshot_date', 'region', 'certificate'),
    { name: 'products_listed', heading: 'Listed', as: 'number' },
    { name: 'products_available', heading: 'Available', as: 'number' },
    { name: 'requests_spent', heading: 'Requests', as: 'number' },
    { name: 'cost', heading: 'Cost', as: 'money' },
    { name: 'findings', heading: 'Findings', as: 'number' },
    { name: 'quarantined', heading: 'Quarantined', as: 'number' },
    { name: 'is_verified', heading: 'Verified', as: 'yes-no' },
  ],
  none: 'There are none.',
});

export const nights = definePage({
  path: '/nights',
  nav: 'Nights',
  isOperations: true,
  about: 'All nights with their certificates, including missed nights.',
  parameters: {
    region: z.enum(['both', 'uk', 'ie']).default('both').meta({ description: 'Region' }),
    certificate: z
      .enum(['any', 'certified', 'partial', 'missed', 'unpublished'])
      .default('any')
      .meta({ description: 'unpublished: held, abandoned, expired or open' }),
    page: PageNumber,
  },
  queries: (p) => ({
    nights: nightsWith(
      'All nights, newest first',
      [
        p.region !== 'both' && sql`night.region = ${p.region}`,
        p.certificate === 'certified' && sql`night.status = 'published' and night.certificate <> 'partial'`,
        p.certificate === 'partial' && sql`night.status = 'published' and night.certificate = 'partial'`,
        p.certificate === 'missed' && sql`night.status = 'missed'`,
        p.certificate === 'unpublished' && sql`night.status in ('held', 'abandoned', 'expired', 'open')`,
      ],
      sql`${new PageRows(rowsOfPage)} offset ${(p.page - 1) * rowsOfPage}`,
    ),
    lacking: nightsWith(
      'Nights that are not complete',
      [
        p.region !== 'both' && sql`night.region = ${p.region}`,
        sql`(night.status <> 'published' or night.certificate = 'partial')`,
      ],
      sql`20`,
    ),
    calendar: nightsOfHalfYear(p.region),
  }),
  title: (_, { calendar }) => nightsInOneSentence(calendar.rows),
  view: ({ parameters: p, tables: { nights: table, lacking, calendar }, hrefWith }) => (
    <>
      <Filters action="/nights">
        <Choice
          name="region"
          label="Region"
          value={p.region}
          options={{ both: 'both', uk: 'United Kingdom', ie: 'Ireland' }}
        />
        <Choice
          name="certificate"
          label="Nights"
          value={p.certificate}
          options={{
            any: 'all',
            certified: 'certified',
            partial: 'partial',
            missed: 'missed',
            unpublished: 'not published',
          }}
        />
      </Filters>
      <Card title="The last half year">
        <NightCalendars of={calendar.rows} />
      </Card>
      <TableCard of={filled(lacking)} cells={cells} />
      <Card title={table.caption}>
        <DataTable of={filled(table)} cells={cells} isFolded={p.certificate === 'any' && p.page === 1} />
        <Pager page={p.page} hasMore={table.hasMore} hrefWith={hrefWith} />
      </Card>
      <CertificateMeanings />
    </>
  ),
});

const cells = {
  snapshot_date: (row: Night) =>
    row.run_id === null ? (
      shortDate(row.snapshot_date)
    ) : (
      <a href={`/night?region=${row.region}&date=${row.snapshot_date}&run=${row.run_id}`}>
        {shortDate(row.snapshot_date)}
      </a>
    ),
  region: (row: Night) => regions[row.region].name,
  certificate: (row: Night) => certificateWords(row.status, row.certificate),
};
