import type { JSX } from 'preact';
import type { AvailabilitySpell, ProductFacts, Spell } from '../../questions/product.ts';
import { spansOf } from '../charts/days.ts';
import { StepChart } from '../charts/step-chart.tsx';
import {
  type Axis,
  axisOf,
  type ChartNights,
  chartNights,
  type Segment,
  type Spell as Stretch,
  segmentsOf,
} from '../charts/steps.ts';
import type { TablesOf } from '../page.ts';
import { badgeWords, priceOf, verdictOf } from '../prior-price.ts';
import { longDate, money, number, plural, text, unitName } from '../words.ts';
import { packSize } from './pack-words.ts';
import { runningByUnit } from './product-offers.tsx';
import { isListed, type PackSpell, type PromotionSpell, type productQueries } from './product-queries.ts';

type Tables = TablesOf<ReturnType<typeof productQueries>>;

/** Charts of price, price per unit and pack size; a price that never changed is a sentence. */
export function Charts({ facts, tables }: { facts: ProductFacts; tables: Tables }): JSX.Element {
  const { nights: known, prices, availability, packs, promotions } = tables;
  const nights = chartNights(
    known.rows.map(({ snapshot_date }) => snapshot_date),
    facts.first_seen_on,
  );
  if (nights === null) return <p class="none">No complete night in this range lists the product.</p>;
  const { currency } = facts;
  const axis = axisOf(nights);
  const out = outOf(availability.rows, axis);
  const format = (value: number) => money(value, currency);
  const description = describe(nights);
  const units = [...new Set(prices.rows.flatMap(({ unit_of_measure: unit }) => (unit === null ? [] : [unit])))];
  const measures = [...new Set(packs.rows.map(({ pack_measure }) => pack_measure))];
  const folded = [
    ...units.map((unit, i) => ({
      id: `unit-price-${i}`,
      summary: `Price per ${unitName(unit)}`,
      title: `Price per ${unitName(unit)}`,
      series: [
        {
          name: `price per ${unitName(unit)}`,
          segments: forSale(
            segmentsOf(
              spellsOf(
                prices.rows.filter(({ unit_of_measure }) => unit_of_measure === unit),
                ({ unit_price }) => unit_price,
              ),
              axis,
            ),
            out,
          ),
        },
        ...membersByUnit(promotions.rows, unit, axis),
      ],
      format,
    })),
    ...measures.map((measure, i) => ({
      id: `pack-${i}`,
      summary: 'Pack size',
      title: `Pack size in ${measure}`,
      series: [{ name: 'whole pack', segments: segmentsOf(packSpells(packs.rows, measure, availability.rows), axis) }],
      format: (value: number) => packSize(String(value), measure),
    })),
  ];
  return (
    <>
      <PriceChart axis={axis} description={description} facts={facts} tables={tables} out={out} />
      {axis.gaps.length > 0 && <p class="quiet">Nothing is known on hatched nights: they are not complete.</p>}
      {folded.map(({ summary, ...chart }) => (
        <details key={chart.id}>
          <summary>{summary}</summary>
          <StepChart {...chart} description={description} axis={axis} isShort />
        </details>
      ))}
    </>
  );
}

function PriceChart(props: {
  axis: Axis;
  description: string;
  facts: ProductFacts;
  tables: Tables;
  out: readonly Segment<string>[];
}) {
  const { axis, description, facts, tables, out } = props;
  const { prices, promotions } = tables;
  const format = (value: number) => money(value, facts.currency);
  const shelf = segmentsOf(
    spellsOf(prices.rows, ({ price }) => price),
    axis,
  );
  const members = segmentsOf(
    spellsOf(prices.rows, ({ loyalty_price }) => loyalty_price),
    axis,
  );
  const flat = flatWords(shelf, members, format);
  const byUnit = runningByUnit(promotions.rows);
  if (flat !== null) {
    return (
      <p class="lead">
        {flat}
        {byUnit && ` Members pay ${priceOf(byUnit, byUnit.reduced_price)} now.`}
        {promotions.rows.length > 0 && (
          <>
            {' '}
            <a href="#offers">{plural(promotions.rows.length, 'offer')}</a>
          </>
        )}
      </p>
    );
  }
  const offers = segmentsOf(
    promotions.rows.map((row) => ({ from: row.valid_from, to: row.ended_on ?? row.valid_to, value: row })),
    axis,
  );
  return (
    <StepChart
      id="price"
      title="Price"
      description={description}
      axis={axis}
      series={[
        { name: 'Shelf price', segments: forSale(shelf, out) },
        ...(members.length > 0 ? [{ name: 'Members', segments: forSale(members, out) }] : []),
      ]}
      bands={[
        ...out.map((band) => ({ ...band, kind: 'out' as const })),
        ...offers.map((band) => offerBand(band, facts.title)),
      ]}
      format={format}
    />
  );
}

/** Prices that never changed, as a sentence; null: one did. */
function flatWords(
  shelf: readonly Segment<number>[],
  members: readonly Segment<number>[],
  format: (value: number) => string,
): string | null {
  const levels = (of: readonly Segment<number>[]) => new Set(of.map(({ value }) => value)).size;
  const nights = (of: readonly Segment<number>[]) => of.reduce((sum, { from, to }) => sum + to - from, 0);
  if (levels(shelf) !== 1 || levels(members) > 1) return null;
  const all = `It cost ${format(shelf[0]!.value)} on all of ${plural(nights(shelf), 'night')}`;
  if (members.length === 0) return `${all}.`;
  return `${all}. Members paid ${format(members[0]!.value)} on ${number(nights(members))} of them.`;
}

function offerBand({ from, to, value: row }: Segment<PromotionSpell>, title: string | null) {
  const verdict = verdictOf(row.verdict_label);
  const kind = verdict === 'overstated' || verdict === 'no-reduction' ? verdict : ('offer' as const);
  return { from, to, kind, value: `${text(row.description)} (${badgeWords(row, title)})` };
}

/** Nights on which it was listed, but not for sale. */
const outOf = (spells: readonly AvailabilitySpell[], axis: Axis): Segment<string>[] =>
  segmentsOf(
    spells.map(({ valid_from: from, valid_to: to, availability: state }) => ({
      ...{ from, to, value: state === 'unavailable' ? 'Not for sale' : null },
    })),
    axis,
  );

/** Parts of a line on nights on which it was for sale. */
const forSale = (line: readonly Segment<number>[], out: readonly Segment<string>[]): Segment<number>[] =>
  line.flatMap((segment) =>
    spansOf(segment.from, segment.to, (day) => !out.some(({ from, to }) => from <= day && day < to)).map((span) => ({
      ...segment,
      ...span,
    })),
  );

/** Line of what members paid per unit in offers that name such a price. */
function membersByUnit(promotions: readonly PromotionSpell[], unit: string, axis: Axis) {
  const segments = segmentsOf(
    promotions
      .filter(({ basis, unit_of_measure }) => basis === 'unit_price' && unit_of_measure === unit)
      .map(({ valid_from: from, valid_to, ended_on, reduced_price: price }) => ({
        ...{ from, to: ended_on ?? valid_to, value: price === null ? null : Number(price) },
      })),
    axis,
  );
  return segments.length === 0 ? [] : [{ name: 'members', segments }];
}

function describe({ first, last, certified }: ChartNights): string {
  const nights = plural(certified.size, 'complete night');
  return `From ${longDate(first)} to ${longDate(last)}, on ${nights}. The history has the numbers.`;
}

function spellsOf<Row extends Spell>(rows: readonly Row[], value: (row: Row) => string | null): Stretch<number>[] {
  return rows.map((row) => {
    const amount = value(row);
    return { from: row.valid_from, to: row.valid_to, value: amount === null ? null : Number(amount) };
  });
}

/**
 * A pack size stays valid after the product is gone; like the price, it is drawn only for nights with the product
 * listed.
 */
function packSpells(
  packs: readonly PackSpell[],
  measure: string,
  availability: readonly AvailabilitySpell[],
): Stretch<number>[] {
  const stretches = availability.filter(isListed);
  return packs
    .filter(({ pack_measure }) => pack_measure === measure)
    .flatMap(({ valid_from: from, valid_to: to, pack_size }) =>
      stretches
        .map(({ valid_from, valid_to }) => ({
          from: valid_from > from ? valid_from : from,
          to: to === null || (valid_to !== null && valid_to < to) ? valid_to : to,
          value: Number(pack_size),
        }))
        .filter((shared) => shared.to === null || shared.from < shared.to),
    );
}
