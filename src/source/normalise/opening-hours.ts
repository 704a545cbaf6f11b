/** Opening hours of a day in local 24-hour times (`08:00`); `closes` at or before `opens` means after midnight. */
interface OpeningHours {
  readonly opens: string;
  readonly closes: string;
}

const minutesOfDay = 1_440;

/**
 * Minutes after local midnight of the opening day; closing after midnight exceeds 1440, and `12:00AM-12:00AM` is the
 * whole day.
 */
export function minutesOf({ opens, closes }: OpeningHours): {
  readonly opensMinute: number;
  readonly closesMinute: number;
} {
  const [opensMinute, closesMinute] = [minuteOf(opens), minuteOf(closes)];
  return { opensMinute, closesMinute: closesMinute <= opensMinute ? closesMinute + minutesOfDay : closesMinute };
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}

/** Parses `08:00AM-10:00PM` to 24-hour times; null for other text (closed, unknown). */
export function readOpeningHours(value: unknown): OpeningHours | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const match = /^\s*(\d{1,2}):(\d\d)\s?(AM|PM)\s?[-–]\s?(\d{1,2}):(\d\d)\s?(AM|PM)\s*$/i.exec(value);
  if (match === null) return null;
  const opens = clockTime(match[1], match[2], match[3]);
  const closes = clockTime(match[4], match[5], match[6]);
  return opens === null || closes === null ? null : { opens, closes };
}

function clockTime(hour: string | undefined, minute: string | undefined, half: string | undefined): string | null {
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (!(hours >= 1 && hours <= 12 && minutes <= 59)) return null;
  const hoursOfDay = (hours % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(hoursOfDay).padStart(2, '0')}:${minute}`;
}
