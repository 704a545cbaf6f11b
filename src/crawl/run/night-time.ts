import { localDate } from '../../base/local-date.ts';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { isCertified, type Run } from './runs.ts';

/** Local time at which a region's night begins. */
export interface NightTime {
  readonly hour: number;
  readonly minute: number;
}

export type NightTimes = Readonly<Record<RegionCode, NightTime>>;

/** After the supermarket's midnight changes, before people shop. */
export const defaultNightTime: NightTime = { hour: 2, minute: 0 };

/** Date of the night that is due in a region: today once its night has begun, null before. */
export function nightDue(region: RegionCode, now: Date, at: NightTime): string | null {
  const today = localDate(now, regions[region].timeZone);
  return now >= nightBegins(region, today, at) ? today : null;
}

/** Date of the first night of a region that has neither begun nor been crawled early. */
export function nextNight(region: RegionCode, now: Date, at: NightTime, last: Run | null): string {
  const today = localDate(now, regions[region].timeZone);
  const first = nightDue(region, now, at) === null ? today : dateAfter(today);
  return last !== null && isCertified(last) && last.snapshotDate >= first ? dateAfter(last.snapshotDate) : first;
}

/**
 * Instant at which the night of a date begins. If the clock is set back and shows the time twice, it is the first; if
 * the clock is set forward and skips the time, it is as long after midnight as on other days.
 */
export function nightBegins(region: RegionCode, date: string, { hour, minute }: NightTime): Date {
  const { timeZone } = regions[region];
  const wanted = Date.parse(`${date}T00:00:00Z`) + (hour * 60 + minute) * 60_000;
  const [before, after] = [-dayMs, dayMs].map((ms) => wanted - offsetMs(new Date(wanted + ms), timeZone));
  const isShown = (instant: number) => instant + offsetMs(new Date(instant), timeZone) === wanted;
  return new Date(!isShown(before!) && isShown(after!) ? after! : before!);
}

/** Calendar dates after `from` and before `to` (both `YYYY-MM-DD`, exclusive). */
export function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = dateAfter(from); date < to; date = dateAfter(date)) dates.push(date);
  return dates;
}

/** `02:00`. */
export function timeText({ hour, minute }: NightTime): string {
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

const dayMs = 86_400_000;

const dateAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);

/** Difference between local time and UTC at an instant. */
function offsetMs(instant: Date, timeZone: string): number {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' });
  clocks.set(timeZone, clock);
  const [hour = 0, minute = 0] = clock.format(instant).split(':').map(Number);
  const local = Date.parse(`${localDate(instant, timeZone)}T00:00:00Z`) + (hour * 60 + minute) * 60_000;
  return local - Math.floor(instant.getTime() / 60_000) * 60_000;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
