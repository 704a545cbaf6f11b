import { localDate } from '../base/local-date.ts';
import { type RegionCode, regions } from '../base/model/index.ts';
import { localTime } from '../crawl/plan/local-time.ts';
import { dateOf, dayOf } from './charts/days.ts';
import { longDate } from './words.ts';

/** Local time at which nights start. */
export interface NightTime {
  readonly hour: number;
  readonly minute: number;
}

/** Start of the next night of a region: `2 March 2026 at 02:00 (Europe/London)`. */
export function nextNight(region: RegionCode, now: Date, { hour, minute }: NightTime): string {
  const { timeZone } = regions[region];
  const local = localTime(now, timeZone);
  const isBefore = local.hour < hour || (local.hour === hour && local.minute < minute);
  const today = localDate(now, timeZone);
  const date = isBefore ? today : dateOf(dayOf(today) + 1);
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return `${longDate(date)} at ${time} (${timeZone})`;
}
