import { type RegionCode, regions } from '../base/model/index.ts';
import { fields } from '../questions/question.ts';
import { allOf, sql } from '../questions/sql.ts';
import { dateOf, dayOf } from './charts/days.ts';
import { NightCalendar } from './charts/night-calendar.tsx';
import type { Query } from './page.ts';
import { plural } from './words.ts';

const days = 26 * 7;

interface Night {
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly certificate: string;
}

/** Nights of the last half year of one region or both. */
export function nightsOfHalfYear(region: RegionCode | 'both'): Query<Night> {
  return {
    caption: 'Nights of the last half year',
    sql: sql`
      select region, snapshot_date, certificate, products_listed, products_available, requests_spent
      from marts.snapshot
      where ${allOf(
        sql`snapshot_date > (select max(snapshot_date) from marts.snapshot) - ${days}::int`,
        region !== 'both' && sql`region = ${region}`,
      )}
      order by snapshot_date desc, region desc`,
    columns: [
      ...fields('region', 'snapshot_date', 'certificate'),
      { name: 'products_listed', heading: 'Listed', as: 'number' },
      { name: 'products_available', heading: 'For sale', as: 'number' },
      { name: 'requests_spent', heading: 'Requests', as: 'number' },
    ],
  };
}

/** How many of the nights are complete. */
export function nightsInOneSentence(nights: readonly Night[]): string {
  if (nights.length === 0) return 'No night is published yet';
  const shown = [...new Set(nights.map(({ region }) => region))];
  const where = shown.length > 1 ? 'both regions' : `${shown[0] === 'uk' ? 'the ' : ''}${regions[shown[0]!].name}`;
  const lacking = nights.filter(({ certificate }) => certificate === 'partial').length;
  if (lacking > 0) return `${lacking} of ${plural(nights.length, 'night')} of ${where} ${are(lacking)} not complete`;
  const dates = new Set(nights.map(({ snapshot_date }) => snapshot_date)).size;
  return `${dates === 1 ? 'The only night' : `All ${dates} nights`} ${are(dates)} complete in ${where}`;
}

const are = (count: number) => (count === 1 ? 'is' : 'are');

/** One calendar per region; null if there is no night. */
export function NightCalendars({ of: nights }: { of: readonly Night[] }) {
  if (nights.length === 0) return null;
  const last = nights[0]!.snapshot_date;
  const first = dateOf(Math.max(dayOf(last) - days + 1, dayOf(nights.at(-1)!.snapshot_date)));
  return (
    <div class="pair">
      {[...new Set(nights.map(({ region }) => region))].map((region) => (
        <NightCalendar
          key={region}
          id={`nights-${region}`}
          title={`Nights, ${regions[region].name}`}
          first={first}
          last={last}
          nights={nights
            .filter((night) => night.region === region)
            .map((night) => ({ date: night.snapshot_date, certificate: night.certificate }))}
        />
      ))}
    </div>
  );
}
