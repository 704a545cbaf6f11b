import { dayAndMonth, longDate, unsnaked } from '../words.ts';
import { dateOf, dayOf } from './days.ts';
import { Drawing } from './drawing.tsx';

/** A night and its certificate; null: no published run on that date. */
interface CalendarNight {
  readonly date: string;
  readonly certificate: string | null;
}

/** Mark of each certificate. */
const marks: Readonly<Record<string, string>> = {
  complete: '✓',
  complete_within_tolerance: '≈',
  partial: '!',
  none: '×',
};

const cell = 22;
const left = 44;
const top = 20;
/** Width in pixels of `Nov 2026` and of `Nov` in any font. */
const yearWidth = 60;
const monthWidth = 32;

interface NightCalendarProps {
  readonly id: string;
  readonly title: string;
  /** First and last date, both inclusive. */
  readonly first: string;
  readonly last: string;
  readonly nights: readonly CalendarNight[];
}

/** Calendar with one column per week; each night has the colour and mark of its certificate. */
export function NightCalendar({ id, title, first, last, nights }: NightCalendarProps) {
  const certificates = new Map(nights.map(({ date, certificate }) => [date, certificate ?? 'none']));
  const from = dayOf(first);
  const days = Array.from({ length: dayOf(last) - from + 1 }, (_, i) => from + i);
  // 1 January 1970 was a Thursday: 0 is Monday.
  const weekdayOf = (day: number) => (day + 3) % 7;
  const columnOf = (day: number) => Math.floor((day - from + weekdayOf(from)) / 7);
  const shown = days.map((day) => ({ day, date: dateOf(day), certificate: certificates.get(dateOf(day)) ?? 'none' }));
  const count = (certificate: string) => shown.filter((night) => night.certificate === certificate).length;
  const present = Object.keys(marks).filter((certificate) => count(certificate) > 0);
  const begun = shown.filter(({ date }, i) => date.endsWith('-01') || i === 0);
  // A first month of a few days moves to the left of the next one; one of a few weeks leaves out its year.
  const months = begun.map(({ day, date }, i) => {
    const next = begun[i + 1] === undefined ? Number.POSITIVE_INFINITY : columnOf(begun[i + 1]!.day) * cell;
    const at = Math.min(columnOf(day) * cell, next - monthWidth);
    const hasYear = (i === 0 || i === 1 || date.slice(5, 7) === '01') && next - at >= yearWidth;
    return { at, name: `${dayAndMonth(date).split(' ')[1]}${hasYear ? ` ${date.slice(0, 4)}` : ''}` };
  });
  // Leaves room for the name of a month that starts in the last columns.
  const width = Math.max(
    left + (columnOf(days.at(-1) ?? from) + 1) * cell,
    left + (months.at(-1)?.at ?? 0) + yearWidth,
  );
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <ul class="key">
        {present.map((certificate) => (
          <li key={certificate}>
            <svg width="20" height="20" aria-hidden="true">
              <rect class={`night ${certificate}`} width="20" height="20" />
              <text class={`mark ${certificate}`} x="10" y="15" text-anchor="middle">
                {marks[certificate]}
              </text>
            </svg>{' '}
            {certificate === 'none' ? 'no night' : unsnaked(certificate)}: {count(certificate)}
          </li>
        ))}
      </ul>
      <Drawing
        id={id}
        title={title}
        description={present
          .map((one) => `${count(one)} ${one === 'none' ? 'without a night' : unsnaked(one)}`)
          .join(', ')}
        width={width}
        height={top + 7 * cell}
      >
        {['Mon', 'Wed', 'Fri', 'Sun'].map((name, i) => (
          <text key={name} class="tick" x={left - 6} y={top + i * 2 * cell + 15} text-anchor="end">
            {name}
          </text>
        ))}
        {months.map(({ at, name }) => (
          <text key={name} class="tick" x={left + at} y={14}>
            {name}
          </text>
        ))}
        {shown.map(({ day, date, certificate }) => {
          const x = left + columnOf(day) * cell;
          const y = top + weekdayOf(day) * cell;
          return (
            <g key={date}>
              <title>{`${longDate(date)}: ${certificate === 'none' ? 'no night' : unsnaked(certificate)}`}</title>
              <rect class={`night ${certificate}`} x={x} y={y} width={cell - 2} height={cell - 2} />
              <text class={`mark ${certificate}`} x={x + 10} y={y + 15} text-anchor="middle">
                {marks[certificate]}
              </text>
            </g>
          );
        })}
      </Drawing>
    </figure>
  );
}
