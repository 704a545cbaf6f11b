import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Condition } from './condition.ts';

/** Monthly quota of a listing and its use, in units. */
export interface QuotaUsed {
  readonly listing: string;
  readonly used: number;
  /** 0: unlimited; null: unknown. */
  readonly included: number | null;
}

/** Conditions at 80% and 100% of a monthly quota; the second replaces the first. */
export function quotaConditions(quotas: readonly QuotaUsed[]): Condition[] {
  return quotas.flatMap(({ listing, used, included }): Condition[] => {
    if (included === null || included === 0 || used < included * 0.8) return [];
    const spent = `${listing}: ${used} of ${included} requests of this month are used`;
    if (used >= included) {
      const says = `${spent}. Runs wait for the next month.`;
      return [
        {
          kind: 'quota_100',
          subject: listing,
          says,
          advice: '`pricebook listings` shows when it begins; with a larger plan they continue.',
        },
      ];
    }
    return [
      {
        kind: 'quota_80',
        subject: listing,
        says: `${spent}, ${Math.floor((100 * used) / included)} %.`,
        advice: '`pricebook plan` shows for how many nights the rest suffices.',
      },
    ];
  });
}

/** Listings that refuse the key or report a used-up quota. */
export async function refusalConditions(sql: Queryable): Promise<Condition[]> {
  const stopped = await rowsOf<{ listing: string; state: string; lastError: string | null }>(
    sql,
    `select listing, state, last_error as "lastError"
     from marts.listing_now
     where state in ('denied', 'quota')
     order by listing`,
  );
  const usedUp = stopped.filter(({ state }) => state === 'quota');
  const refused = stopped.filter(({ state }) => state === 'denied');
  return [...usedUp.map(({ listing }) => usedUpAsSaid(listing)), ...refused.map(keyRefused)];
}

const usedUpAsSaid = (listing: string): Condition => ({
  kind: 'quota_100',
  subject: listing,
  says: `${listing}: the upstream reports that the quota is used up. Runs wait until it is reset.`,
  advice: '`pricebook listings` shows when it begins; with a larger plan they continue.',
});

const keyRefused = ({ listing, lastError }: { listing: string; lastError: string | null }): Condition => ({
  kind: 'key_refused',
  subject: listing,
  says:
    `${listing}: the gateway refuses the key${lastError === null ? '' : ` (${lastError})`}. ` +
    'Only one request per hour is sent.',
  advice: '`pricebook doctor --ask` shows which variable to correct; waiting runs then continue by themselves.',
});
