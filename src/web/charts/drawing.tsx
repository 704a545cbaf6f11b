import type { ComponentChildren } from 'preact';
import type { Span } from './days.ts';

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

/** What the marks of a chart mean: a sample of 24 by 12 and a name each. */
export const Key = ({ of: marks }: { of: readonly (readonly [name: string, sample: ComponentChildren])[] }) => (
  <ul class="key">
    {marks.map(([name, sample]) => (
      <li key={name}>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
          {sample}
        </svg>
        {name}
      </li>
    ))}
  </ul>
);

export const round = (value: number) => Math.round(value * 100) / 100;
