import { type RegionCode, regions } from '../base/model/index.ts';
import { localDate } from '../source/normalise/promotion-date.ts';
import { localTime } from './plan/local-time.ts';

/** Local time at which a region's night begins: after the supermarket's midnight changes, before people shop. */
export const nightBeginsAt = { hour: 2, minute: 0 } as const;

/** Date of the night that is due in a region: today once the local start time has passed, null before. */
export function nightDue(region: RegionCode, now: Date): string | null {
  const { timeZone } = regions[region];
  const { hour, minute } = localTime(now, timeZone);
  const isDue = hour > nightBeginsAt.hour || (hour === nightBeginsAt.hour && minute >= nightBeginsAt.minute);
  return isDue ? localDate(now, timeZone) : null;
}
