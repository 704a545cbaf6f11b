import type { JSX } from 'preact';
import type { RegionCode } from '../../base/model/index.ts';
import type { basket } from '../../questions/basket.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { sql } from '../../questions/sql.ts';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart, styles } from '../charts/period-chart.tsx';
import { leastSpan } from '../charts/scale.ts';
import { StepChart } from '../charts/step-chart.tsx';
import { axisOf, chartNights, historyOf } from '../charts/steps.ts';
import { Card } from '../kernel/parts.tsx';
import { cutAt, money, plural, regionName, text, unitName } from '../kernel/words.ts';
import { type ComparePage, itemRows, type Quantities } from './compare-items.tsx';

export type Night = RowOf<typeof basket>;

export const priced = (nights: readonly Night[], of: RegionCode) =>
  nights.filter(({ region, total }) => region === of && total !== null);

/** Chart of the totals of one region; nights on which a product has no price stay empty. */
export function TotalChart(props: { region: RegionCode; nights: readonly Night[] }): JSX.Element {
  const { region, nights } = props;
  const own = priced(nights, region);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return <p class="none">On no complete night do all products have a price.</p>;
  const line = (name: string, total: 'total' | 'loyalty_total', style: number) => ({
    ...{ name, style },
    values: new Map(own.map((night) => [night.snapshot_date, Number(night[total])])),
  });
  const hasMembers = own.some(({ total, loyalty_total }) => total !== loyalty_total);
  return (
    <PeriodChart
      id={`total-${region}`}
      title={`Total in ${regionName(region)}`}
      description="The total of each night; the table of the question has the numbers."
      periods={datesBetween(first.snapshot_date, last.snapshot_date)}
      span={leastSpan}
      series={[line('Shelf prices', 'total', 0), ...(hasMembers ? [line('Members', 'loyalty_total', 1)] : [])]}
      format={(value, decimals) => money(value.toFixed(decimals ?? 2), first.currency)}
    />
  );
}

/** The price of each product, or its price per unit if the packs differ. */
export async function EachChart(shown: ComparePage, quantities: Quantities, nights: readonly Night[]) {
  const { region } = shown.parameters;
  const axisNights = chartNights(
    nights.filter((night) => night.region === region).map(({ snapshot_date }) => snapshot_date),
  );
  if (quantities.size < 2 || quantities.size > styles.length || axisNights === null) return null;
  const { rows } = await itemRows(shown, quantities);
  const units = new Set(rows.map(({ line }) => line.unit));
  const contents = rows.map(({ line }) => Number(line.price) / Number(line.unit_price));
  const isPerUnit =
    units.size === 1 && contents.every(Number.isFinite) && Math.max(...contents) > 1.05 * Math.min(...contents);
  const spells = await shown.ask({
    caption: 'Prices of each product',
    columns: fields('product_id', 'valid_from', 'valid_to', 'price', 'unit_price'),
    sql: sql`
      select product_id, valid_from, valid_to, price, unit_price
      from marts.fct_price_spell
      where product_key = any (${rows.map(({ product_key }) => product_key)}::int[])`,
  });
  const axis = axisOf(axisNights);
  const currency = rows[0]!.currency;
  const title = isPerUnit ? `Each per ${unitName(rows[0]!.line.unit)}` : 'Each product';
  const wordsOf = (title: string | null) => text(title).split(' ');
  return (
    <Card title={title}>
      <StepChart
        id="each"
        title={title}
        description={`${plural(rows.length, 'line')}; the list below has the numbers.`}
        axis={axis}
        series={rows.map((row, place) => {
          const own = wordsOf(row.title).filter((word) => !rows.every(({ title }) => wordsOf(title).includes(word)));
          return {
            name: text(row.title),
            short: cutAt((own.length === 0 ? wordsOf(row.title) : own).join(' '), 22),
            style: styles[place]!,
            segments: historyOf(
              spells.filter(({ product_id }) => product_id === row.product_id),
              ({ price, unit_price }) => (isPerUnit ? unit_price : price),
              axis,
            ),
          };
        })}
        format={(value, decimals) => money(value.toFixed(decimals ?? 2), currency)}
      />
    </Card>
  );
}
