import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Condition } from './condition.ts';

/** What a listing's month allows and how much of it is used, in units of its quota. */
export interface QuotaUsed {
  readonly listing: string;
  readonly used: number;
  /** 0: unlimited; null: not known. */
  readonly included: number | null;
}

/** 80 and 100 % of a month's quota. The second takes the place of the first. */
export function quotaConditions(quotas: readonly QuotaUsed[]): Condition[] {
  return quotas.flatMap(({ listing, used, included }): Condition[] => {
    if (included === null || included === 0 || used < included * 0.8) return [];
    const spent = `${listing}: ${used} of ${included} requests of this month are used`;
    if (used >= included) {
      const says = `${spent}. Runs wait until the month turns.`;
      return [
        {
          kind: 'quota_100',
          subject: listing,
          says,
          advice: '`pricebook listings` says when that is; a larger plan lets them go on.',
        },
      ];
    }
    return [
      {
        kind: 'quota_80',
        subject: listing,
        says: `${spent}, ${Math.floor((100 * used) / included)} %.`,
        advice: '`pricebook plan` says for how many nights the rest lasts.',
      },
    ];
  });
}

/** Listings that refuse the key, and those that say their quota is used up. */
export async function refusalConditions(sql: Askable): Promise<Condition[]> {
  const stopped = await rowsOf<{ listing: string; state: string; lastError: string | null }>(
    sql,
    `select listing, state, last_error as "lastError" from marts.listing_now where state in ('denied', 'quota') order by listing`,
  );
  const usedUp = stopped.filter(({ state }) => state === 'quota');
  const refused = stopped.filter(({ state }) => state === 'denied');
  return [...usedUp.map(({ listing }) => usedUpAsSaid(listing)), ...refused.map(keyRefused)];
}

const usedUpAsSaid = (listing: string): Condition => ({
  kind: 'quota_100',
  subject: listing,
  says: `${listing}: the upstream says that the quota is used up. Runs wait until it turns.`,
  advice: '`pricebook listings` says when that is; a larger plan lets them go on.',
});

const keyRefused = ({ listing, lastError }: { listing: string; lastError: string | null }): Condition => ({
  kind: 'key_refused',
  subject: listing,
  says: `${listing}: the gateway refuses the key${lastError === null ? '' : ` (${lastError})`}. Nothing is asked but one request an hour.`,
  advice: '`pricebook doctor --ask` says which variable to correct; what waits goes on by itself.',
});
