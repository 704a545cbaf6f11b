import type { ComponentChildren, JSX } from 'preact';
import { Scroll } from '../scroll.tsx';
import type { Span } from './days.ts';
import { dayTicks, linear, type Scale, ticksOf } from './scale.ts';

/** Plot area within a chart, in pixels. */
export const plot = { width: 720, left: 64, right: 712, top: 10 } as const;

interface FrameProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Summary for screen readers. */
  readonly description: string;
  readonly days: Span;
  readonly gaps: readonly Span[];
  readonly height: number;
  /** All values drawn; they determine the range of the y axis. */
  readonly values: readonly number[];
  format(value: number): string;
  draw(x: Scale, y: Scale): ComponentChildren;
}

/** Chart with axes, grid lines and hatched nights without a certificate; `draw` adds the lines. */
export function Frame({ id, title, description, days, gaps, height, values, format, draw }: FrameProps): JSX.Element {
  const bottom = height - 24;
  const ticks = ticksOf(values);
  const x = linear([days.from, days.to], [plot.left, plot.right]);
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [bottom, plot.top]);
  return (
    <Drawing id={id} title={title} description={description} height={height}>
      <Hatching id={id} gaps={gaps} x={x} top={plot.top} bottom={bottom} />
      {ticks.map((tick) => (
        <g key={tick}>
          <path class="grid" d={`M${plot.left} ${y(tick)}H${plot.right}`} />
          <text class="tick" x={plot.left - 8} y={y(tick) + 4} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      <DayTicks days={days} x={x} y={height - 6} />
      {draw(x, y)}
      {ticks.length === 0 && (
        <text class="tick" x={(plot.left + plot.right) / 2} y={(plot.top + bottom) / 2} text-anchor="middle">
          no value on these nights
        </text>
      )}
    </Drawing>
  );
}

interface DrawingProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly width?: number;
  readonly height: number;
  readonly children?: ComponentChildren;
}

/** SVG with an accessible title and description. */
export function Drawing(props: DrawingProps): JSX.Element {
  const { id, title, description, width = plot.width, height, children } = props;
  return (
    <Scroll label={title}>
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{description}</desc>
        {children}
      </svg>
    </Scroll>
  );
}

/** Hatched area for days without a certified night. */
export function Hatching(props: { id: string; gaps: readonly Span[]; x: Scale; top: number; bottom: number }) {
  const { id, gaps, x, top, bottom } = props;
  if (gaps.length === 0) return null;
  return (
    <>
      <pattern id={`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch" d="M0 0V6" />
      </pattern>
      <path
        class="gap"
        fill={`url(#${id}-hatch)`}
        d={gaps.map(({ from, to }) => `M${x(from)} ${top}H${x(to)}V${bottom}H${x(from)}Z`).join('')}
      />
    </>
  );
}

export function DayTicks({ days, x, y }: { days: Span; x: Scale; y: number }) {
  return dayTicks(days.from, days.to).map(({ day, label }) => (
    <text key={day} class="tick" x={x(day)} y={y} text-anchor={x(day) < plot.right - 40 ? 'start' : 'end'}>
      {label}
    </text>
  ));
}
