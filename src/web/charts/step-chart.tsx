import type { JSX } from 'preact';
import { dayOf } from './days.ts';
import { Frame } from './frame.tsx';
import { axisOf, type ChartNights, loneSteps, type Spell, segmentsOf, stepPath } from './steps.ts';

interface StepSeries {
  readonly name: string;
  readonly spells: readonly Spell<number>[];
}

/** Nights highlighted behind the lines, such as those of a promotion. */
interface Band {
  readonly from: string;
  /** Exclusive; null: to the end of the chart. */
  readonly to: string | null;
}

interface StepChartProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly nights: ChartNights;
  /** At most six; each has its own line style. */
  readonly series: readonly StepSeries[];
  readonly bands?: readonly Band[];
  /** Label of the bands in the legend. */
  readonly bandName?: string;
  format(value: number): string;
}

/** Step chart of values that hold until they change. Only certified nights are drawn; other nights are hatched. */
export function StepChart({ id, title, description, nights, series, bands = [], bandName, format }: StepChartProps) {
  const axis = axisOf(nights);
  const drawn = series.map(({ name, spells }) => ({ name, segments: segmentsOf(spells, axis) }));
  const marked = segmentsOf(
    bands.map(({ from, to }) => ({ from, to, value: true })),
    axis,
  );
  const height = 240;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <Key
        names={drawn.map(({ name }) => name)}
        hasGaps={axis.gaps.length > 0}
        band={marked.length > 0 ? (bandName ?? null) : null}
      />
      <Frame
        id={id}
        title={title}
        description={description}
        days={axis}
        gaps={axis.gaps}
        height={height}
        values={drawn.flatMap(({ segments }) => segments.map(({ value }) => value))}
        format={format}
        draw={(x, y) => (
          <>
            {marked.length > 0 && (
              <path
                class="band"
                d={marked.map(({ from, to }) => `M${x(from)} 10H${x(to)}V${height - 24}H${x(from)}Z`).join('')}
              />
            )}
            {drawn.map(({ name, segments }, i) => (
              <path key={name} class={`line s${i}`} d={stepPath(segments, x, y)} />
            ))}
            {drawn.map(({ name, segments }, i) => {
              const lone = loneSteps(segments, x, y);
              return lone !== '' && <path key={name} class={`lone s${i}`} d={lone} />;
            })}
          </>
        )}
      />
    </figure>
  );
}

/** Legend of a chart. */
export function Key(props: {
  names: readonly string[];
  hasGaps: boolean;
  band?: string | null;
  gapName?: string;
}): JSX.Element {
  const { names, hasGaps, band = null, gapName = 'no certified night' } = props;
  return (
    <ul class="key">
      {names.map((name, i) => (
        <li key={name}>
          <svg width="32" height="12" aria-hidden="true">
            <path class={`line s${i}`} d="M0 6H32" />
          </svg>{' '}
          {name}
        </li>
      ))}
      {band !== null && (
        <li>
          <svg width="20" height="12" aria-hidden="true">
            <path class="band" d="M0 0H20V12H0Z" />
          </svg>{' '}
          {band}
        </li>
      )}
      {hasGaps && (
        <li>
          <svg width="20" height="12" aria-hidden="true">
            <path class="hatch" d="M0 12L12 0M8 12L20 0" />
          </svg>{' '}
          {gapName}
        </li>
      )}
    </ul>
  );
}

/** Range of a chart and its certified nights from `from` on; null if there are none. */
export function chartNights(dates: readonly string[], from?: string): ChartNights | null {
  const certified = new Set(from === undefined ? dates : dates.filter((date) => date >= from));
  const sorted = [...certified].sort((a, b) => dayOf(a) - dayOf(b));
  return sorted.length === 0 ? null : { first: sorted[0]!, last: sorted.at(-1)!, certified };
}
