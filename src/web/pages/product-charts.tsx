import type { JSX } from 'preact';
import { dateOf, dayOf, type Span, spansOf } from '../charts/days.ts';
import { StepChart } from '../charts/step-chart.tsx';
import { axisOf, type ChartNights, chartNights, historyOf, type Segment, segmentsOf } from '../charts/steps.ts';
import { Ranges } from '../kernel/blocks.tsx';
import { Card } from '../kernel/parts.tsx';
import { badgeWords, type Offer, verdictOf } from '../kernel/verdicts.ts';
import { longDate, money, number, packSize, text, unitName } from '../kernel/words.ts';
import { dataOf, type ProductPage } from './product-data.ts';

/** The card with the charts of the product, and the lengths that they can have. */
export async function priceCharts(shown: ProductPage): Promise<JSX.Element> {
  const { facts, nights } = await dataOf(shown);
  const range = chartNights(nights);
  const ranges = range && <Ranges of={shown} first={facts.first_seen_on!} last={range.last} />;
  return (
    <Card id="prices" title="Price, night by night" aside={ranges}>
      {range ? await charts(shown, range) : <p class="none">No complete night in this range lists the product.</p>}
    </Card>
  );
}

/** Charts of price and price per unit, the one whose prices compare first. */
async function charts(shown: ProductPage, nights: ChartNights): Promise<JSX.Element> {
  const { facts, spells: prices, offers, out, changes, byUnit, per } = await dataOf(shown);
  const { currency, title } = facts;
  const axis = axisOf(nights);
  const sold = (rows: typeof prices, amount: (row: (typeof prices)[number]) => string | null) =>
    forSale(historyOf(rows, amount, axis), out);
  const lines = (name: string, shelf: Segment<number>[], members: Segment<number>[]) => [
    { name, segments: shelf },
    ...(members.length > 0 ? [{ name: 'Members', segments: members }] : []),
  ];
  const common = {
    description: `From ${longDate(nights.first)} to ${longDate(nights.last)}. The history has the numbers.`,
    axis,
    format: (value: number) => money(value, currency),
    marks: segmentsOf(
      changes.map(({ snapshot_date: from, old_size, new_size, unit }) => ({
        ...{ from, to: dateOf(dayOf(from) + 1), value: `Pack: ${number(old_size)} → ${packSize(new_size, unit)}` },
      })),
      axis,
    ),
    bands: [
      ...out.map((days) => ({ ...days, kind: 'out' as const, value: 'Not for sale' })),
      ...segmentsOf(
        offers.map((row) => ({ from: row.snapshot_date, to: row.ended_on, value: row })),
        axis,
      ).map((band) => offerBand(band, title)),
    ],
  };
  const units = [...new Set(prices.flatMap(({ unit_of_measure: unit }) => (unit === null ? [] : [unit])))];
  const [first, ...others] = [
    {
      unit: null,
      title: 'Price',
      series: lines(
        'Shelf price',
        sold(prices, ({ price }) => price),
        sold(prices, ({ loyalty_price }) => loyalty_price),
      ),
    },
    ...units.map((unit) => {
      const title = `Price per ${unitName(unit)}`;
      const ofMembers = byUnit
        .filter(({ unit_of_measure }) => unit_of_measure === unit)
        .map(({ snapshot_date: from, ended_on: to, reduced_price }) => ({ from, to, value: Number(reduced_price) }));
      const own = prices.filter(({ unit_of_measure }) => unit_of_measure === unit);
      return {
        unit,
        title,
        series: lines(
          title,
          sold(own, ({ unit_price }) => unit_price),
          forSale(segmentsOf(ofMembers, axis), out),
        ),
      };
    }),
  ].sort((one, other) => Number(other.unit === per) - Number(one.unit === per));
  return (
    <>
      <StepChart {...common} {...first!} id="price" />
      {axis.gaps.length > 0 && <p class="quiet">Nothing is known on hatched nights: they are not complete.</p>}
      {others.map((chart, i) => (
        <details key={chart.unit} open={changes.length > 0}>
          <summary>{chart.title}</summary>
          <StepChart {...common} {...chart} id={`price-${i}`} isShort />
        </details>
      ))}
    </>
  );
}

function offerBand({ from, to, value: row }: Segment<Offer>, title: string | null) {
  const verdict = verdictOf(row.verdict_label);
  const kind = verdict === 'overstated' || verdict === 'no-reduction' ? verdict : ('offer' as const);
  return { from, to, kind, value: `${text(row.description ?? '')} (${badgeWords(row, title)})` };
}

/** Parts of a line on nights on which it was for sale. */
export const forSale = <Of extends Span>(line: readonly Of[], out: readonly Span[]): Of[] =>
  line.flatMap((segment) =>
    spansOf(segment.from, segment.to, (day) => !out.some(({ from, to }) => from <= day && day < to)).map((span) => ({
      ...segment,
      ...span,
    })),
  );
