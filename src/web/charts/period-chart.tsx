import type { JSX } from 'preact';
import { StepChart, type StepChartProps } from './step-chart.tsx';
import { type PeriodLine, periodSegments } from './steps.ts';

interface PeriodChartProps extends Omit<StepChartProps, 'axis' | 'series' | 'bands'> {
  /** First days of all periods, in order, including periods without any value. */
  readonly periods: readonly string[];
  /** Day after the last period; by default each period is one night. */
  readonly end?: string;
  readonly series: readonly (PeriodLine & {
    readonly name: string;
    readonly short?: string;
    readonly style?: number;
  })[];
}

/** Styles of lines; the second one is that of members' prices and comes last. */
export const styles = [0, 2, 3, 4, 5, 1] as const;

/** Chart of a value per night, week or month. */
export function PeriodChart({ periods, end, series, ...props }: PeriodChartProps): JSX.Element {
  const { axis, series: drawn } = periodSegments(periods, end, series);
  const lines = series.map((line, i) => ({ ...line, style: line.style ?? styles[i]!, segments: drawn[i]! }));
  // Indices move by less than prices.
  return <StepChart span={0} {...props} axis={axis} series={lines} />;
}
