import { headingOf } from '../../base/format.ts';
import { columnsOf } from '../../questions/columns.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import type { Block } from './page.ts';
import { Card } from './parts.tsx';
import { capital, longDate, money, plural, text } from './words.ts';

/** Values of a chart. */
const maxDrawn = 5_000;
/** A chart has six line styles. */
const maxLines = 6;

/** The chart that the question names: a value over time, one line per value of a column. */
export const chart =
  (title?: string): Block<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>> =>
  async ({ rows: ask, question }) => {
    const of = question.chart;
    if (!of) return null;
    const { rows } = await ask({ limit: maxDrawn, columns: [of.x, of.y, of.by, 'currency'] });
    const [x, y, by] = columnsOf(question, of.x, of.y, of.by ?? '');
    const currency = rows[0]?.['currency'] ?? null;
    // An axis has one currency.
    const known = rows.filter((row) => row[of.y] != null && (row['currency'] ?? null) === currency);
    const nameOf = (row: Readonly<Record<string, unknown>>) => {
      const value = String(row[of.by ?? ''] ?? 'all');
      return text(by?.names?.[value] ?? value);
    };
    const lines = [...new Set(known.map(nameOf))].slice(0, maxLines);
    const starts = [...new Set(known.map((row) => String(row[of.x])))].sort();
    if (!x || !y || starts.length < 2) return null;
    const [first, last] = [starts[0]!, starts.at(-1)!];
    return (
      <Card title={title ?? headingOf(y)}>
        <PeriodChart
          id={`chart-${question.name}`}
          title={headingOf(y)}
          description={`${capital(question.about)}, ${plural(starts.length, 'value')} from ${longDate(first)} on.`}
          periods={starts}
          end={dateOf(2 * dayOf(last) - dayOf(starts.at(-2)!))}
          series={lines.map((name) => ({
            name,
            values: new Map(
              known.flatMap((row): [string, number][] =>
                nameOf(row) === name ? [[String(row[of.x]), Number(row[of.y])]] : [],
              ),
            ),
          }))}
          format={(value, decimals = 2) => {
            const figure = value.toFixed(y.as === 'number' ? 0 : decimals);
            return y.as === 'money' ? money(figure, currency) : figure;
          }}
        />
      </Card>
    );
  };
