import type { JSX } from 'preact';
import { type Day, spansOf } from './days.ts';
import { Band, Hatching, Key, round } from './drawing.tsx';
import { dayTicks, decimalsOf, leastSpan, linear, ticksOf } from './scale.ts';
import { type Axis, type Segment, stepPath } from './steps.ts';

interface ChartLine {
  readonly name: string;
  /** Label at the right end of the line; by default its newest value. */
  readonly short?: string;
  /** Number of its line style; by default its place. */
  readonly style?: number;
  readonly segments: readonly Segment<number>[];
}

/** Days marked behind the lines: an offer by its verdict, or days on which the product was not for sale. */
interface ChartBand extends Segment<string> {
  readonly kind: keyof typeof bandNames;
}

export interface StepChartProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Summary for screen readers. */
  readonly description: string;
  readonly axis: Axis;
  /** At most six; each has its own line style. */
  readonly series: readonly ChartLine[];
  readonly bands?: readonly ChartBand[];
  /** Events, each with its words above a line at its day. */
  readonly marks?: readonly Segment<string>[];
  /** Value of a horizontal line, such as that of the base period. */
  readonly level?: number;
  readonly isShort?: boolean;
  /** Part of the values that the height covers at least. */
  readonly span?: number;
  /** `decimals`: those that the labels of the axis need; by default as many as suit the value. */
  format(value: number, decimals?: number): string;
}

/** Distance between two labels at the right end, in percent of the height. */
const labelDistance = 6.2;
const bandNames = {
  out: 'not for sale',
  'no-reduction': 'offer without a reduction',
  overstated: 'overstated offer',
  offer: 'on offer',
} as const;

/** Bands without overlaps: a day has the first of its kinds. */
function drawnBands(bands: readonly ChartBand[], { from, to }: Axis) {
  const kinds = Object.keys(bandNames) as ChartBand['kind'][];
  const kindOf = (day: Day) =>
    kinds.find((kind) => bands.some((band) => band.kind === kind && band.from <= day && day < band.to));
  return kinds.flatMap((kind) => spansOf(from, to, (day) => kindOf(day) === kind).map((span) => ({ ...span, kind })));
}

/**
 * Chart of values that hold until they change. Positions are percentages of the plot, so one drawing fits every width.
 * The script of the explorer reads `data-chart` and shows the values of a day.
 */
export function StepChart(props: StepChartProps): JSX.Element {
  const { id, title, description, axis, series, bands = [], marks = [], level, isShort = false } = props;
  const { span = leastSpan, format } = props;
  const values = [
    ...series.flatMap(({ segments }) => segments.flatMap(({ value, error = 0 }) => [value - error, value + error])),
    ...(level === undefined ? [] : [level]),
  ];
  const ticks = ticksOf(values, span);
  const range = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const;
  const [x, y] = [linear([axis.from, axis.to], [0, 100]), linear(range, [100, 0])];
  const [px, py] = [linear([axis.from, axis.to], [0, 1_000]), linear(range, [1_000, 0])];
  const drawn = drawnBands(bands, axis);
  const kinds = [...new Set(drawn.map(({ kind }) => kind))];
  return (
    <figure class={isShort ? 'short' : series.some(({ short }) => short !== undefined) ? 'named' : undefined}>
      <Key of={marksOf(series, kinds, axis)} />
      <div class="chart" data-chart={JSON.stringify(readable(props, y))}>
        <svg class="plot" role="img" aria-labelledby={`${id}-title ${id}-description`}>
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {drawn.map(({ from, to, kind }) => (
            <Band key={from} name={`band ${kind}`} from={x(from)} to={x(to)} />
          ))}
          <Hatching id={id} gaps={axis.gaps} x={x} />
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="grid" x1="0" x2="100%" y1={`${y(tick)}%`} y2={`${y(tick)}%`} />
              <text class="y" x="0" dx="-8" y={`${y(tick)}%`} dy="4">
                {format(tick, decimalsOf(ticks))}
              </text>
            </g>
          ))}
          {level !== undefined && <line class="level" x1="0" x2="100%" y1={`${y(level)}%`} y2={`${y(level)}%`} />}
          {drawn.map(({ from, to, kind }) =>
            kind === 'out' ? null : (
              <rect
                key={from}
                class={`cap ${kind}`}
                x={`${x(from)}%`}
                width={`${round(x(to) - x(from))}%`}
                height="4"
              />
            ),
          )}
          {marks.map(({ from, value }) => (
            <g key={from}>
              <line class="level" x1={`${x(from)}%`} x2={`${x(from)}%`} y1="0" y2="100%" />
              <text class={x(from) > 60 ? 'x last' : 'x'} x={`${x(from)}%`} y="0" dy="-4">
                {value}
              </text>
            </g>
          ))}
          {dayTicks(axis.from, axis.to).map(({ day, label }, i) => (
            <text key={day} class={i % 2 === 1 ? 'x wide' : 'x'} x={`${x(day + 0.5)}%`} y="100%" dy="20">
              {label}
            </text>
          ))}
          <svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
            {series.map((one, i) => (
              <path key={one.name} opacity="0.15" fill={penOf(one, i).stroke} d={errorPath(one.segments, px, py)} />
            ))}
            {series.map((one, i) => (
              <path key={one.name} class="line" {...penOf(one, i)} d={stepPath(one.segments, px, py)} />
            ))}
          </svg>
          {endLabels(props, y).map(({ style, at, label }) => (
            <text key={at} class="end" fill={`var(--s${style})`} x="100%" dx="8" y={`${round(at)}%`} dy="4">
              {label}
            </text>
          ))}
          {ticks.length === 0 && (
            <text class="x" x="50%" y="50%">
              no value on these nights
            </text>
          )}
        </svg>
      </div>
    </figure>
  );
}

/** Area within which each value is known. */
const errorPath = (segments: ChartLine['segments'], x: (day: Day) => number, y: (value: number) => number) =>
  segments
    .map(({ from, to, value, error = 0 }) =>
      error === 0 ? '' : `M${x(from)} ${y(value + error)}H${x(to)}V${y(value - error)}H${x(from)}Z`,
    )
    .join('');

const dashes = [undefined, '6 4', '1 4', '10 4', '10 4 2 4', '16 5'];

const penOf = ({ style }: ChartLine, place: number) => ({
  stroke: `var(--s${style ?? place})`,
  'stroke-dasharray': dashes[style ?? place],
});

/** The newest value of each line that reaches the end, from top to bottom without overlaps and within the chart. */
function endLabels({ axis, series, format }: StepChartProps, y: (value: number) => number) {
  const reaching = series
    .map(({ segments, short, style }, i) => ({ style: style ?? i, short, last: segments.at(-1) }))
    .filter(({ last }) => last?.to === axis.to)
    .sort((one, other) => other.last!.value - one.last!.value);
  let above = Number.NEGATIVE_INFINITY;
  return reaching.map(({ style, short, last }, i) => {
    // Those below it need room, too.
    const lowest = 100 - (reaching.length - 1 - i) * labelDistance;
    above = Math.max(Math.min(y(last!.value), lowest), above + labelDistance);
    return { style, at: above, label: short ?? format(last!.value) };
  });
}

/** What the script shows for a day: texts, with days counted from the first one. */
function readable({ title, axis, series, bands = [], marks = [], format }: StepChartProps, y: (of: number) => number) {
  const day = (from: number) => from - axis.from;
  return {
    title,
    first: axis.from,
    days: axis.to - axis.from,
    gaps: axis.gaps.map(({ from, to }) => [day(from), day(to)]),
    bands: [...bands, ...marks].map(({ from, to, value }) => [day(from), day(to), value]),
    series: series.map(({ name, segments }) => ({
      name,
      spells: segments.map(({ from, to, value, error = 0 }) => {
        const words = error === 0 ? format(value) : `${format(value)} ±${error.toFixed(2)}`;
        return [day(from), day(to), words, y(value)];
      }),
    })),
  };
}

function marksOf(lines: readonly ChartLine[], kinds: readonly ChartBand['kind'][], { gaps }: Axis) {
  const none = <path class="hatch" d="M0 12L12 0M8 12L20 0M16 12L24 4" />;
  return [
    ...lines.map((line, i) => [line.name, <path class="line" {...penOf(line, i)} d="M0 6H24" />] as const),
    ...kinds.map((kind) => {
      const band = <rect class={`band ${kind}`} width="24" height="12" />;
      const cap = kind !== 'out' && <rect class={`cap ${kind}`} width="24" height="3" />;
      return [bandNames[kind], [band, cap]] as const;
    }),
    ...(lines.some(({ segments }) => segments.some(({ error = 0 }) => error > 0))
      ? [
          [
            `${lines[0]!.short}: two standard errors`,
            <rect opacity="0.15" fill="var(--s0)" width="24" height="12" />,
          ] as const,
        ]
      : []),
    ...(gaps.length > 0 ? [['no complete night', none] as const] : []),
  ];
}
