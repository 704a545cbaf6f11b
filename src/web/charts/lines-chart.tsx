import { type Day, dayOf, spansOf } from './days.ts';
import { Frame } from './frame.tsx';
import type { Scale } from './scale.ts';
import { Key } from './step-chart.tsx';

interface LineSeries {
  readonly name: string;
  /** Values by first day of the period; null or missing: unknown. */
  readonly values: ReadonlyMap<string, number | null>;
  /** First night with data. A period that began earlier is drawn from this night. */
  readonly begins?: string | null;
  /** Periods that start a new series: no line connects them to the period before. */
  readonly anew?: ReadonlySet<string>;
}

export interface LinesChartProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** First days of all periods, in order, including periods without any value. */
  readonly periods: readonly string[];
  /** Day after the last period; by default each period is one night. */
  readonly end?: string;
  /** At most six; each has its own line style. */
  readonly series: readonly LineSeries[];
  /** Label of periods without any value; by default "no certified night". */
  readonly gapName?: string;
  format(value: number): string;
}

/** Line chart over periods. A line connects adjacent periods that both have a value; it does not bridge gaps. */
export function LinesChart({ id, title, description, periods, end, series, gapName, format }: LinesChartProps) {
  const days = periods.map(dayOf);
  const first = days[0] ?? 0;
  const to = end === undefined ? (days.at(-1) ?? first) + 1 : dayOf(end);
  const places = series.map(({ begins }) => placesOf(days, to, begins));
  const from = places.length === 0 ? first : Math.min(...places.map(([place]) => place ?? first));
  const known = new Set(periods.filter((period) => series.some(({ values }) => (values.get(period) ?? null) !== null)));
  const endOf = (i: number) => days[i + 1] ?? to;
  const unknown = periods.flatMap((period, i) => (known.has(period) ? [] : [{ from: days[i]!, to: endOf(i) }]));
  const isUnknown = (day: number) => unknown.some((span) => span.from <= day && day < span.to);
  const gaps = spansOf(from, to, isUnknown);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <Key
        names={series.map(({ name }) => name)}
        hasGaps={gaps.length > 0}
        {...(gapName === undefined ? {} : { gapName })}
      />
      <Frame
        id={id}
        title={title}
        description={description}
        days={{ from, to }}
        gaps={gaps}
        height={280}
        values={series.flatMap(({ values }) => [...values.values()].filter((value) => value !== null))}
        format={format}
        draw={(x, y) =>
          series.map(({ name, values, anew }, i) => {
            const line = linePath(periods, values, x, y, places[i], anew);
            const lone = lonePoints(line);
            return (
              <g key={name}>
                <path class={`line s${i}`} d={line} />
                {lone !== '' && <path class={`lone s${i}`} d={lone} />}
              </g>
            );
          })
        }
      />
    </figure>
  );
}

/** X position of each period: its first day, or the first night with data if that is later. */
function placesOf(days: readonly Day[], to: Day, begins: string | null | undefined): Day[] {
  const night = begins ? dayOf(begins) : Number.NEGATIVE_INFINITY;
  return days.map((day, i) => (day < night && night < (days[i + 1] ?? to) ? night : day));
}

/** Isolated points of a path, which need a dot to be visible. */
function lonePoints(path: string): string {
  return (path.match(/M[^ML]*h0\.1/g) ?? []).join('');
}

/** SVG path with one point per period with a value; isolated points become dots. */
export function linePath(
  periods: readonly string[],
  values: ReadonlyMap<string, number | null>,
  x: Scale,
  y: Scale,
  places: readonly Day[] = periods.map(dayOf),
  anew: ReadonlySet<string> = new Set(),
): string {
  let path = '';
  let isAfterPoint = false;
  periods.forEach((period, i) => {
    const value = values.get(period) ?? null;
    if (value === null) {
      isAfterPoint = false;
      return;
    }
    if (anew.has(period)) isAfterPoint = false;
    const next = periods[i + 1];
    const isAlone = !isAfterPoint && (next === undefined || anew.has(next) || (values.get(next) ?? null) === null);
    path += `${isAfterPoint ? 'L' : 'M'}${x(places[i]!)} ${y(value)}${isAlone ? 'h0.1' : ''}`;
    isAfterPoint = true;
  });
  return path;
}
