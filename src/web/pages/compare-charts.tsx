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
import { cutAt, money, plural, regionName, rounded, text, unitName } from '../kernel/words.ts';
import { type ComparePage, itemRows, type Quantities } from './compare-items.tsx';

export type Night = RowOf<typeof basket>;

export const priced = (nights: readonly Night[], of: RegionCode) =>
  nights.filter(({ region, total }) => region === of && total !== null);

/** Whether members pay less than others. */
export const haveMembers = (nights: readonly Night[]) => nights.some((one) => one.total !== one.loyalty_total);

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
  return (
    <PeriodChart
      id={`total-${region}`}
      title={`Total in ${regionName(region)}`}
      description="The total of each night; the table of the question has the numbers."
      periods={datesBetween(first.snapshot_date, last.snapshot_date)}
      span={leastSpan}
      series={[line('Shelf prices', 'total', 0), ...(haveMembers(own) ? [line('Members', 'loyalty_total', 1)] : [])]}
      format={(value, decimals) => money(value.toFixed(decimals ?? 2), first.currency)}
    />
  );
}

/** Two products or more, as many as a chart can tell apart: prices per unit or, if their units differ, of a pack. */
async function eachOf(shown: ComparePage, quantities: Quantities, nights: readonly Night[]) {
  const own = nights.filter(({ region }) => region === shown.parameters.region);
  const range = chartNights(own.map(({ snapshot_date }) => snapshot_date));
  if (quantities.size < 2 || quantities.size > styles.length || range === null) return null;
  const { rows } = await itemRows(shown, quantities);
  const unit = new Set(rows.map(({ line }) => line.unit)).size === 1 ? rows[0]!.line.unit : null;
  const price = unit === null ? sql`price` : sql`unit_price`;
  const spells = await shown.ask({
    caption: 'Prices of each product',
    columns: fields('product_id', 'valid_from', 'valid_to', 'shelf_price'),
    sql: sql`
      select product_id, valid_from, valid_to, ${price} as shelf_price
      from marts.fct_price_spell
      where product_key = any (${rows.map(({ product_key }) => product_key)}::int[])`,
  });
  const axis = axisOf(range);
  const lines = rows.map((row) => {
    const history = spells.filter(({ product_id }) => product_id === row.product_id);
    return { ...row, segments: historyOf(history, ({ shelf_price }) => shelf_price, axis) };
  });
  return { lines, axis, unit };
}

/** Which product for sale costs least per unit, without a card; null: unknown. */
export async function cheapest(shown: ComparePage, quantities: Quantities, nights: readonly Night[]) {
  const each = await eachOf(shown, quantities, nights);
  if (!each?.unit) return null;
  const { lines, unit } = each;
  const isSold = ({ line, segments }: (typeof lines)[number]) =>
    line.availability === 'available' && segments.length > 0;
  const now = ({ segments }: (typeof lines)[number]) => segments.at(-1)!.value;
  const [least] = lines.filter(isSold).sort((one, other) => now(one) - now(other));
  const cost = least && rounded(now(least), least.currency);
  return least ? `${text(least.title)} costs least per ${unitName(unit)} without a card: ${cost}` : null;
}

/** What each product, or a unit of it, costs without a card. */
export async function EachChart(shown: ComparePage, quantities: Quantities, nights: readonly Night[]) {
  const each = await eachOf(shown, quantities, nights);
  if (each === null) return null;
  const { lines, axis, unit } = each;
  const { currency } = lines[0]!;
  const title = unit === null ? 'Each product' : `Each per ${unitName(unit)}`;
  const wordsOf = (title: string | null) => text(title).split(' ');
  return (
    <Card title={title} aside="without a card">
      <StepChart
        id="each"
        title={title}
        description={`${plural(lines.length, 'line')}; the list below has the numbers.`}
        axis={axis}
        series={lines.map((line, place) => {
          const own = wordsOf(line.title).filter((word) => !lines.every(({ title }) => wordsOf(title).includes(word)));
          return {
            name: text(line.title),
            short: cutAt((own.length === 0 ? wordsOf(line.title) : own).join(' '), 22),
            style: styles[place]!,
            segments: line.segments,
          };
        })}
        format={(value, decimals) => money(value.toFixed(decimals ?? 2), currency)}
      />
    </Card>
  );
}
