import type { JSX } from 'preact';
import { Table } from '../kernel/table.tsx';
import { exact } from '../kernel/words.ts';
import { dayOf } from './days.ts';
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
const styles = [0, 2, 3, 4, 5, 1] as const;

/** Chart of a value per night, week or month, and unless it is short its values as a table. */
export function PeriodChart({ periods, end, series, ...props }: PeriodChartProps): JSX.Element {
  const { axis, series: drawn } = periodSegments(periods, end, series);
  const isByNight = periods.length > 1 && dayOf(periods.at(-1)!) - dayOf(periods.at(-2)!) === 1;
  const lines = series.map((line, i) => ({ ...line, style: line.style ?? styles[i]!, segments: drawn[i]! }));
  return (
    <>
      {/* Indices move by less than prices. */}
      <StepChart span={0} {...props} axis={axis} series={lines} />
      {!props.isShort && valuesOf(props.title, periods, series, props.format, isByNight)}
    </>
  );
}

/** What a chart draws as a table, newest first. */
const valuesOf = (
  title: string,
  periods: readonly string[],
  series: PeriodChartProps['series'],
  format: StepChartProps['format'],
  isByNight: boolean,
) => (
  <details open={!isByNight}>
    <summary>The values as a table</summary>
    <Table
      caption={`Values: ${title}`}
      columns={[
        { name: '', heading: isByNight ? 'Night' : 'From', as: 'date' },
        ...series.flatMap(({ name }) => [
          { name },
          ...(isByNight ? [] : [{ name: `change ${name}`, heading: 'Since the one before' }]),
        ]),
      ]}
      rows={periods.toReversed().map((period, place) => {
        const before = periods.at(-2 - place) ?? '';
        const cells = series.flatMap(({ name, values, errors, anew }) => {
          const [value = null, error = 0, past = null] = [values.get(period), errors?.get(period), values.get(before)];
          const change =
            value === null || past === null || anew?.has(period) ? null : `${exact(100 * (value / past - 1))}%`;
          const words = value === null ? null : `${format(value)}${error === 0 ? '' : ` ±${error.toFixed(2)}`}`;
          return [
            [name, words],
            [`change ${name}`, change],
          ] as const;
        });
        return Object.fromEntries([['', period], ...cells]);
      })}
    />
  </details>
);
