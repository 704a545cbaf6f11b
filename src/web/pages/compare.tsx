import { Fragment, type JSX } from 'preact';
import { z } from 'zod';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { isCertified, lastCertified, lastDerived } from '../../questions/certified.ts';
import { RegionParameter } from '../../questions/parameters.ts';
import type { PriceSpell } from '../../questions/product.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { fields } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { Change } from '../change.tsx';
import { StepChart } from '../charts/step-chart.tsx';
import { type Axis, axisOf, chartNights, segmentsOf } from '../charts/steps.ts';
import {
  AddProducts,
  type Chosen,
  chosenIn,
  FindParameter,
  foundQuery,
  ProductsParameter,
  removeColumn,
} from '../chosen-products.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query, type Table } from '../page.ts';
import { Card, Chips } from '../parts.tsx';
import { lineNights, membersUnitPrice, PriceCell, ProductTable, unitPrice, unitPrices } from '../product-table.tsx';
import { daysKnown, Ranges, SpanParameter, spans } from '../spans.tsx';
import { cutAt, dayAndMonth, money, plural, share, text } from '../words.ts';
import { perUnit } from './pack-words.ts';

/** A chart has six line styles; the second one belongs to members' prices, so it comes last. */
const styles = [0, 2, 3, 4, 5, 1];
const most = styles.length;

const measures = { price: 'Price', unit: 'Per unit', index: 'Indexed' } as const;

interface Compared extends ProductLine {
  readonly span_first_price: string | null;
  readonly span_lowest_price: string | null;
  /** Whether only members paid the lowest price. */
  readonly span_lowest_is_members: boolean;
  /** Lowest price per unit for anyone. */
  readonly span_lowest_unit_price: string | null;
  readonly span_usual_price: string | null;
  readonly span_highest_price: string | null;
  /** Change since the first night of the span that lists the product. */
  readonly span_change_pct: string | null;
}

interface Example {
  readonly name: string;
  /** Ids of its products, separated by commas. */
  readonly ids: string;
}

interface ComparedSpell extends PriceSpell {
  readonly product_key: number;
}

interface RegionNight {
  readonly region: RegionCode;
  readonly snapshot_date: string;
}

export const compare = definePage({
  path: '/compare',
  nav: 'Compare',
  about: 'Prices of up to six products of either region on one chart.',
  parameters: {
    p: ProductsParameter,
    region: RegionParameter,
    find: FindParameter,
    show: z
      .enum(['price', 'unit', 'index'])
      .optional()
      .meta({ description: 'What the chart shows; by default the price, or that per unit if the packs differ' }),
    span: SpanParameter,
  },
  queries: ({ p, region, find, span }) => {
    const chosen = chosenIn(p).slice(0, most);
    const since = sql`(select max(snapshot_date) from marts.snapshot) - ${spans[span] - 1}::int`;
    const ofRegion = (code: RegionCode) => withLine(comparedIn(code, chosen, since), code);
    return {
      products: {
        caption: 'Compared products',
        sql: sql`
      select * from (
      (${ofRegion('uk')})
      union all
      (${ofRegion('ie')})
      ) as compared
      order by place`,
        columns: [
          ...lineColumns,
          ...fields('span_lowest_price', 'span_usual_price', 'span_highest_price', 'span_change_pct'),
        ],
        none: 'No product is chosen yet.',
      } as Query<Compared>,
      prices: {
        caption: 'Prices of the chart',
        sql: sql`
      select n.region, n.product_id, n.title, s.valid_from, s.valid_to, s.price, s.loyalty_price, s.unit_price,
        s.unit_of_measure, n.currency, n.product_key
      from unnest(${chosen.map((one) => one.region)}::text[], ${chosen.map(({ id }) => id)}::text[]) with ordinality
        as asked (region, id, place)
      join marts.product_now n on n.region = asked.region and n.product_id = asked.id
      join marts.fct_price_spell s on s.product_key = n.product_key
      where s.valid_to is null or s.valid_to > ${since}
      order by asked.place, s.valid_from desc`,
        columns: fields('title', 'valid_from', 'valid_to', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure'),
        none: 'No price is known.',
      } as Query<ComparedSpell>,
      nights: {
        caption: 'Complete nights of the chart',
        sql: sql`
      select region, snapshot_date
      from marts.snapshot
      where ${isCertified} and snapshot_date >= ${since}
      order by snapshot_date, region`,
        columns: fields('snapshot_date', 'region'),
        none: 'There is no complete night yet.',
      } as Query<RegionNight>,
      examples: {
        caption: 'Examples of comparisons',
        sql: sql`
      select trim(c.name) as name, string_agg(cheap.product_id, ',') as ids
      from (
        select category_key, products_available from marts.fct_category_daily
        where region = ${region} and snapshot_date = ${lastDerived(region)} and depth = 2 and ${chosen.length === 0}
          and products_available >= 3
        order by products_available desc, category_key
        limit 20
      ) as shelf
      join marts.dim_category c using (category_key)
      cross join lateral (
        select n.product_id
        from marts.product_category_now member
        join marts.product_now n using (product_key)
        where member.category_key = shelf.category_key and n.availability = 'available' and n.unit_price > 0
        order by n.unit_price, n.product_key
        limit 3
      ) as cheap
      group by c.category_key, c.name, shelf.products_available
      having count(*) = 3
      order by shelf.products_available desc, name
      limit 3`,
        columns: fields('name'),
        none: 'There are no examples.',
      } as Query<Example>,
      found: foundQuery(find, region),
      lines: lineNights(region),
    };
  },
  title: (_, { products, nights }) => {
    const [first] = [...products.rows]
      .filter(({ span_change_pct: change }) => Number(change) !== 0)
      .sort((a, b) => Math.abs(Number(b.span_change_pct)) - Math.abs(Number(a.span_change_pct)));
    const count = products.rows.length;
    if (count === 0) return 'Compare products';
    const shown = nights.rows.filter(({ region }) => products.rows.some((row) => row.region === region));
    const span = plural(new Set(shown.map(({ snapshot_date }) => snapshot_date)).size, 'night');
    const lows = products.rows.filter((row) => row.span_lowest_is_members);
    if (!first) {
      const [low] = lows;
      const which = low ? 'shelf price' : 'price';
      const same = `${count === 1 ? `The ${which} did not change` : `No ${which} changed`} in ${span}`;
      if (!low) return same;
      if (lows.length > 1) return `${same}; members paid less for ${lows.length} of them`;
      const whose = count === 1 ? '' : ` for ${text(low.title)}`;
      return `${same}; members paid ${money(low.span_lowest_price, low.currency)}${whose}`;
    }
    const change = Number(first.span_change_pct);
    const moved = `became ${share(change)} ${change > 0 ? 'dearer' : 'cheaper'} in ${span}`;
    return `${text(first.title)} ${moved}${count === 1 ? '' : `, the most of ${plural(count, 'product')}`}`;
  },
  lead: (_, { products: { rows } }) => {
    if (rows.length === 0) return 'Search for products here, or tick them in any list.';
    const best = cheapestPerUnit(rows);
    return `${best === null ? '' : `${best} `}The address keeps the comparison: bookmark it or send it.`;
  },
  view: ({ parameters: p, tables, hrefWith }) => {
    const chosen = chosenIn(p.p);
    const { rows } = tables.products;
    const without = (gone: ProductLine) =>
      addressOf(chosen.filter(({ region, id }) => region !== gone.region || id !== gone.product_id));
    const amount = (value: string | null, row: Compared) => money(value, row.currency);
    const show = p.show ?? (haveOtherPacks(rows) ? 'unit' : 'price');
    const first = tables.nights.rows[0]?.snapshot_date;
    return (
      <>
        <Left chosen={chosen} rows={rows} />
        {rows.length > 0 && (
          <section class="card">
            <header>
              <h2>{show === 'index' ? 'First night = 100' : measures[show]}, night by night</h2>
              <Ranges chosen={p.span} hrefWith={hrefWith} known={daysKnown(tables.lines.rows)} />
            </header>
            <Chips label="Show" chosen={show} options={measures} href={(other) => hrefWith({ show: other })} />
            <Charts show={show} tables={tables} />
            <DataTable of={tables.prices} isFolded />
          </section>
        )}
        {rows.length === 0 && <Examples of={tables.examples} region={p.region} />}
        <Swap rows={rows} />
        <Card title="What they cost">
          <ProductTable<Compared>
            of={tables.products}
            nights={tables.lines}
            form={null}
            sign={(row) => Number(row.span_change_pct)}
            columns={[
              { heading: 'Per unit', isNamed: true, cell: unitPrices },
              { heading: 'Now', isPrice: true, cell: (row) => <PriceCell of={row} /> },
              { heading: 'Lowest', isNamed: true, cell: (row) => <Lowest of={row} /> },
              { heading: 'Usual', isNamed: true, cell: (row) => amount(row.span_usual_price, row) },
              { heading: 'Highest', isNamed: true, cell: (row) => amount(row.span_highest_price, row) },
              {
                heading: first === undefined ? 'Change' : `Since ${dayAndMonth(first)}`,
                isNamed: true,
                cell: (row) => <Change percent={row.span_change_pct} />,
              },
              removeColumn((row) => hrefWith({ p: without(row) })),
            ]}
          />
        </Card>
        <AddProducts
          of={tables.found}
          nights={tables.lines}
          words={p.find}
          action="/compare"
          isChosen={(row) => rows.some(({ product_key }) => product_key === row.product_key)}
          keep={{ p: p.p, region: p.region, show: p.show, span: p.span }}
        />
      </>
    );
  },
});

const addressOf = (chosen: readonly Chosen[]) => chosen.map(({ region, id }) => `${region}:${id}`).join(',');

/** The chosen products of a region with their figures in the span. */
function comparedIn(region: RegionCode, chosen: readonly Chosen[], since: Sql): Sql {
  const own = chosen.flatMap((one, place) => (one.region === region ? [{ ...one, place }] : []));
  return sql`
          select
            n.product_key, asked.place, past.*,
            round(100 * (n.price / nullif(past.span_first_price, 0) - 1), 1) as span_change_pct
          from unnest(${own.map(({ id }) => id)}::text[], ${own.map(({ place }) => place)}::int[]) as asked (id, place)
          join marts.product_now n on n.region = ${region} and n.product_id = asked.id
          cross join lateral (
            select
              (array_agg(price order by first))[1] as span_first_price,
              min(lowest) as span_lowest_price,
              coalesce(min(lowest) < min(price), false) as span_lowest_is_members,
              round(min(lowest_unit), 4) as span_lowest_unit_price,
              (array_agg(price order by nights desc, first desc))[1] as span_usual_price,
              max(price) as span_highest_price
            from (
              select s.price, min(s.valid_from) as first, min(least(s.price, s.loyalty_price)) as lowest,
                min(s.unit_price * least(s.price, s.loyalty_price) / nullif(s.price, 0))
                  filter (where s.unit_of_measure = n.unit_of_measure) as lowest_unit,
                sum(coalesce(s.valid_to, ${lastCertified(region)} + 1) - greatest(s.valid_from, ${since})) as nights
              from marts.fct_price_spell s
              where s.product_key = n.product_key and s.price is not null
                and (s.valid_to is null or s.valid_to > ${since})
              group by s.price
            ) as level
          ) as past
          order by asked.place`;
}

/** The lowest price of the span; one for members says so. */
function Lowest({ of: row }: { of: Compared }): JSX.Element {
  const lowestUnit = Number(row.span_lowest_unit_price).toFixed(Number(row.unit_price) < 1 ? 3 : 2);
  return (
    <>
      {money(row.span_lowest_price, row.currency)}
      {row.span_lowest_is_members && <small>members</small>}
      {row.span_lowest_unit_price !== null && <small>{unitPrice({ ...row, unit_price: lowestUnit })}</small>}
    </>
  );
}

/** Whether all have a price for the same unit, and not all the same content. */
function haveOtherPacks(rows: readonly Compared[]): boolean {
  const contents = rows.map(({ price, unit_price }) => Number(price) / Number(unit_price));
  // Prices per unit are rounded.
  return (
    new Set(rows.map(({ unit_of_measure }) => unit_of_measure)).size === 1 &&
    contents.every(Number.isFinite) &&
    Math.max(...contents) > 1.05 * Math.min(...contents)
  );
}

/** Whether prices per unit are in one currency, for one unit. */
const isOfOneUnit = (rows: readonly Compared[]) =>
  new Set(rows.map(({ currency, unit_of_measure: unit }) => `${currency} ${unit}`)).size === 1;

/** Least that anyone pays for a unit. */
const paidPerUnit = (row: Compared) => membersUnitPrice(row) ?? Number(row.unit_price);

/** Sentence on the lowest price per unit, of products in one currency; null: they cannot be compared. */
function cheapestPerUnit(rows: readonly Compared[]): string | null {
  if (!haveOtherPacks(rows) || new Set(rows.map(({ currency }) => currency)).size > 1) return null;
  const best = rows.reduce((least, row) => (paidPerUnit(row) < paidPerUnit(least) ? row : least));
  const amount = money(paidPerUnit(best).toFixed(2), best.currency);
  const members = membersUnitPrice(best) === null ? '' : ' for members';
  return `Cheapest per ${text(best.unit_of_measure ?? 'unit')}: ${text(best.title)}, ${amount}${members}.`;
}

/** Links to comparisons of the cheapest products of a shelf. */
function Examples({ of: examples, region }: { of: Table<Example>; region: RegionCode }): JSX.Element | null {
  if (examples.rows.length === 0) return null;
  return (
    <p>
      {'For example, the three cheapest per unit of '}
      {examples.rows.map(({ name, ids }, i) => (
        <Fragment key={name}>
          {i > 0 && ', '}
          <a href={`/compare?p=${ids.split(',').map((id) => `${region}:${id}`)}&region=${region}`}>{text(name)}</a>
        </Fragment>
      ))}
    </p>
  );
}

/** What the cheapest per unit saves against the dearest; nothing if they cannot be compared. */
function Swap({ rows }: { rows: readonly Compared[] }): JSX.Element | null {
  if (rows.length < 2 || !isOfOneUnit(rows) || rows.some(({ unit_price }) => unit_price === null)) return null;
  const sorted = [...rows].sort((one, other) => paidPerUnit(one) - paidPerUnit(other));
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const saving = paidPerUnit(worst) - paidPerUnit(best);
  if (!(saving > 0)) return null;
  const less = money(saving.toFixed(2), best.currency);
  return (
    <p class="notice">
      <strong>Best swap:</strong>
      {` ${text(best.title)} instead of ${text(worst.title)} costs ${less} less per ` +
        `${text(best.unit_of_measure ?? 'unit')} (${share((100 * saving) / paidPerUnit(worst))})` +
        `${membersUnitPrice(best) === null ? '' : ', for members'}.`}
    </p>
  );
}

/** Name at the end of a line: the words of a title that not all have, and the value. */
function endName(row: Compared, rows: readonly Compared[]): string {
  const wordsOf = ({ title }: Compared) => text(title).split(' ');
  const own = wordsOf(row).filter((word) => !rows.every((other) => wordsOf(other).includes(word)));
  return cutAt((own.length === 0 ? wordsOf(row) : own).join(' '), 16);
}

/** What of the address is not shown. */
function Left({ chosen, rows }: { chosen: readonly Chosen[]; rows: readonly Compared[] }): JSX.Element | null {
  const unknown = chosen
    .slice(0, most)
    .filter(({ region, id }) => !rows.some((row) => row.region === region && row.product_id === id));
  const sentences = [
    ...(chosen.length > most ? [`Of ${chosen.length} products the first ${most} are compared.`] : []),
    ...unknown.map(({ region, id }) => `There is no product ${id} in region ${region}.`),
  ];
  return sentences.length === 0 ? null : <p class="note">{sentences.join(' ')}</p>;
}

/** One chart for each currency and, per unit, for each unit; only indexed prices share an axis. */
function Charts(props: {
  show: keyof typeof measures;
  tables: { products: Table<Compared>; prices: Table<ComparedSpell>; nights: Table<RegionNight> };
}): JSX.Element {
  const { show, tables } = props;
  const { products, prices, nights } = tables;
  const axes = axesOf(nights.rows, [...new Set(products.rows.map(({ region }) => region))]);
  if (axes === null) return <p class="none">There is no complete night in this range.</p>;
  const lines = products.rows.flatMap((row, place) => {
    const own = prices.rows
      .filter(({ product_key }) => product_key === row.product_key)
      .map((spell) => (show === 'unit' ? perUnit(spell, row.unit_of_measure) : spell));
    const segmentsBy = (name: 'price' | 'loyalty_price') =>
      segmentsOf(
        own.map((spell) => ({
          from: spell.valid_from,
          to: spell.valid_to,
          value: spell[name] === null ? null : Number(spell[name]),
        })),
        axes[row.region],
      );
    const [segments, members] = [segmentsBy('price'), segmentsBy('loyalty_price')];
    const first = segments[0]?.value;
    if (first === undefined || (show === 'index' && first === 0)) return [];
    const axis = show === 'index' ? 'index' : `${row.currency}${show === 'unit' ? ` per ${row.unit_of_measure}` : ''}`;
    const name = `${text(row.title)}${axes.regions.length > 1 ? `, ${regions[row.region].name}` : ''}`;
    const line = { axis, currency: row.currency, style: styles[place]! };
    const format = (value: number) => (show === 'index' ? value.toFixed(1) : money(value.toFixed(2), row.currency));
    const ending = (of: typeof segments) => {
      const last = shown(of).at(-1);
      return last === undefined || products.rows.length === 1
        ? {}
        : { short: `${format(last.value)} ${endName(row, products.rows)}` };
    };
    const shown = (of: typeof segments) =>
      show === 'index' ? of.map((one) => ({ ...one, value: (100 * one.value) / first })) : of;
    return [
      { ...line, ...ending(segments), name, segments: shown(segments) },
      ...(members.length === 0
        ? []
        : [{ ...line, ...ending(members), name: `${name}, members`, segments: shown(members), isOfMembers: true }]),
    ];
  });
  if (lines.length === 0) return <p class="none">No price is known on these nights.</p>;
  return (
    <>
      {[...new Set(lines.map(({ axis }) => axis))].map((axis, i) => {
        const series = lines.filter((line) => line.axis === axis);
        return (
          <StepChart
            key={axis}
            id={`compare-${i}`}
            title={axis === 'index' ? 'Prices, first night = 100' : `Prices in ${text(axis)}`}
            description={`${plural(series.length, 'line')}; the table below has the numbers.`}
            axis={axes.both}
            series={series}
            format={(value, decimals) =>
              axis === 'index' ? value.toFixed(decimals ?? 1) : money(value, series[0]!.currency)
            }
          />
        );
      })}
    </>
  );
}

/** Days of the charts: a region's own complete nights, and those of any of the regions. */
function axesOf(nights: readonly RegionNight[], shown: readonly RegionCode[]) {
  const datesOf = (codes: readonly RegionCode[]) =>
    nights.flatMap(({ region, snapshot_date }) => (codes.includes(region) ? [snapshot_date] : []));
  const both = chartNights(datesOf(shown));
  if (both === null) return null;
  const own = (region: RegionCode): Axis => axisOf({ ...both, certified: new Set(datesOf([region])) });
  return { both: axisOf(both), uk: own('uk'), ie: own('ie'), regions: shown };
}
