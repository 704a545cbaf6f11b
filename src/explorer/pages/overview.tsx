import { dateOf, dayOf } from '../charts/days.ts';
import { NightCalendar } from '../charts/night-calendar.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { sql } from '../sql.ts';

interface Night {
  readonly region: string;
  readonly snapshot_date: string;
  readonly certificate: string;
}

const weeks = 26;

export const overview = definePage({
  path: '/',
  nav: 'Overview',
  about: 'How the two regions stand, and how far their book can be trusted.',
  parameters: {},
  queries: () => ({
    nights: {
      caption: 'Nights of the last half year',
      sql: sql`
        select region, snapshot_date, certificate, products_listed, products_available, requests_spent
        from marts.snapshot
        where snapshot_date > (select max(snapshot_date) from marts.snapshot) - ${weeks * 7}::int
        order by snapshot_date desc, region desc`,
      columns: [
        { name: 'region', heading: 'Region' },
        { name: 'snapshot_date', heading: 'Night', as: 'date' },
        { name: 'certificate', heading: 'Certificate' },
        { name: 'products_listed', heading: 'Listed', as: 'number' },
        { name: 'products_available', heading: 'Available', as: 'number' },
        { name: 'requests_spent', heading: 'Requests', as: 'number' },
      ],
    } as Query<Night>,
  }),
  title: () => 'Overview',
  empty: ({ nights }) =>
    nights.rows.length === 0 ? 'No night has been published yet. The first is here as soon as it is crawled.' : null,
  view: ({ tables: { nights } }) => {
    const last = nights.rows[0]!.snapshot_date;
    const first = dateOf(Math.max(dayOf(last) - weeks * 7 + 1, dayOf(nights.rows.at(-1)!.snapshot_date)));
    return (
      <>
        {['uk', 'ie'].map((region) => (
          <NightCalendar
            key={region}
            id={`nights-${region}`}
            title={`Nights by certificate, ${region}`}
            first={first}
            last={last}
            nights={nights.rows
              .filter((night) => night.region === region)
              .map((night) => ({ date: night.snapshot_date, certificate: night.certificate }))}
          />
        ))}
        <DataTable of={nights} isFolded />
      </>
    );
  },
});
