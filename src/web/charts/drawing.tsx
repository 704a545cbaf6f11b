import type { ComponentChildren, JSX } from 'preact';
import { Scroll } from '../scroll.tsx';
import type { Span } from './days.ts';

interface DrawingProps {
  readonly id: string;
  readonly title: string;
  /** Summary for screen readers. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly children?: ComponentChildren;
}

/** SVG of a fixed size with an accessible title and description. It scrolls in a narrow window. */
export function Drawing({ id, title, description, width, height, children }: DrawingProps): JSX.Element {
  return (
    <Scroll label={title}>
      <svg
        class="drawing"
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

/** Rectangle over the full height of a plot, from one share of its width to another, in percent. */
export function Band({ name, fill, from, to }: { name: string; fill?: string; from: number; to: number }) {
  return <rect class={name} fill={fill} x={`${from}%`} y="0" width={`${round(to - from)}%`} height="100%" />;
}

/** Hatched areas of days without a value. */
export function Hatching({ id, gaps, x }: { id: string; gaps: readonly Span[]; x: (day: number) => number }) {
  if (gaps.length === 0) return null;
  return (
    <>
      <pattern id={`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="hatch" d="M0 0V6" />
      </pattern>
      {gaps.map(({ from, to }) => (
        <Band key={from} name="gap" fill={`url(#${id}-hatch)`} from={x(from)} to={x(to)} />
      ))}
    </>
  );
}

export const round = (value: number) => Math.round(value * 100) / 100;
