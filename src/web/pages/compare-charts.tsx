import type { JSX } from 'preact';
import type { RegionCode } from '../../base/model/index.ts';
import type { basket } from '../../questions/basket.ts';
import type { RowOf } from '../../questions/columns.ts';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { leastSpan } from '../charts/scale.ts';
import { money, regionName } from '../kernel/words.ts';

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
