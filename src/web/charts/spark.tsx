import type { JSX } from 'preact';
import type { Span } from './days.ts';
import { Band, round } from './drawing.tsx';
import { leastSpan, linear, rangeOf } from './scale.ts';
import { type Axis, type Segment, stepPath } from './steps.ts';

interface SparkProps {
  readonly axis: Axis;
  readonly segments: readonly Segment<number>[];
  readonly bands?: readonly Span[];
  /** Sign of the change, which gives the colour. */
  readonly change: number;
  /** Part of the values that the height covers at least. */
  readonly span?: number;
}

/** Small chart in a list, without text: the numbers beside it say the same. */
export function Spark({ axis, segments, bands = [], change, span = leastSpan }: SparkProps): JSX.Element {
  const values = segments.map(({ value }) => value);
  const x = linear([axis.from, axis.to], [0, 100]);
  const y = linear(rangeOf(values, span), [25, 3]);
  const name = change > 0 ? 'spark up' : change < 0 ? 'spark down' : 'spark';
  return (
    <svg class={name} viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
      {bands.map(({ from, to }) => (
        <Band key={from} name="band offer" from={x(from)} to={x(to)} />
      ))}
      <path d={stepPath(segments, x, y)} />
    </svg>
  );
}

/** Bar of a value against the largest one; `rest` is the kind of what is missing. */
export function Bar({ share, kind, rest }: { share: number; kind: string; rest?: string }): JSX.Element {
  return (
    <svg class="bar-chart" aria-hidden="true">
      {rest !== undefined && <rect class={`fill ${rest}`} width="100%" height="100%" rx="3" />}
      <rect class={`fill ${kind}`} width={`${round(100 * share)}%`} height="100%" rx="3" />
    </svg>
  );
}

interface ColumnsProps {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** One column each; its parts stand on each other, the first at the bottom. */
  readonly columns: readonly {
    readonly name: string;
    readonly parts: readonly { readonly kind: string; readonly value: number }[];
  }[];
}

/** Columns of counts, with the counts inside them where there is room. */
export function Columns({ id, title, description, columns }: ColumnsProps): JSX.Element {
  const most = Math.max(1, ...columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const width = 100 / Math.max(1, columns.length);
  return (
    <svg class="columns" role="img" aria-labelledby={`${id}-title ${id}-description`}>
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      {columns.map(({ name, parts }, i) => {
        let top = 84;
        return (
          <g key={name}>
            {parts.map(({ kind, value }) => {
              const height = (76 * value) / most;
              top -= height;
              return (
                <g key={kind}>
                  <rect
                    class={`fill ${kind}`}
                    x={`${round(i * width + width * 0.06)}%`}
                    y={`${round(top)}%`}
                    width={`${round(width * 0.88)}%`}
                    height={`${round(height)}%`}
                  />
                  {(height > 9 || parts.length === 1) && (
                    <text
                      class={`${height > 9 ? `on ${kind}` : ''}${columns.length > 9 ? ' wide' : ''}`}
                      x={`${round((i + 0.5) * width)}%`}
                      y={`${round(height > 9 ? top + height / 2 : top)}%`}
                      dy={height > 9 ? 4 : -4}
                    >
                      {value}
                    </text>
                  )}
                </g>
              );
            })}
            <text class={i % 2 === 1 && columns.length > 9 ? 'wide' : undefined} y="100%">
              {/* A range goes on below, so that all have room on a phone. */}
              {name.split(/ (?=[+−]?\d+%)/).map((line, place) => (
                <tspan key={line} x={`${round((i + 0.5) * width)}%`} dy={place === 0 ? -18 : 14}>
                  {line}
                </tspan>
              ))}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
