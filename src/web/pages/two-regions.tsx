import type { JSX } from 'preact';
import { z } from 'zod';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { lastOfBoth } from '../../questions/certified.ts';
import { DateParameter, RegionParameter, textUpTo, Words } from '../../questions/parameters.ts';
import { sql } from '../../questions/sql.ts';
import { Change } from '../change.tsx';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { Columns } from '../charts/spark.tsx';
import { DataTable, filled, Ways } from '../data-table.tsx';
import { definePage, type Table } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Chips, Choice, Field, Filters, type HrefWith, Pager, productHref } from '../parts.tsx';
import { Badge, lineNights, type Night, ProductTable } from '../product-table.tsx';
import { withCode } from '../with-code.tsx';
import { longDate, money, nothing, number, plural, share, text } from '../words.ts';
import {
  type Article,
  articleQueries,
  type Department,
  middleStep,
  nameTier,
  type Parity,
  type Rate,
  type Step,
} from './two-regions-queries.ts';

/** Since 1999 a euro has cost between 0.57 and 0.98 pounds. */
const RateParameter = z.coerce
  .number<number | string>('must be pounds for one euro, such as 0.86')
  .min(0.4, 'must be pounds for one euro, from 0.4')
  .max(1.02, 'must be pounds for one euro, up to 1.02')
  .optional();

interface Parameters {
  readonly region: RegionCode;
  readonly department?: string | undefined;
  readonly words?: string | undefined;
  readonly date?: string | undefined;
  readonly rate?: number | undefined;
  readonly match: 'sure' | 'all';
  readonly sort: string;
}

const otherOf = (region: RegionCode): RegionCode => (region === 'uk' ? 'ie' : 'uk');
const inRegion = (region: RegionCode) => (region === 'uk' ? 'the United Kingdom' : 'Ireland');

export const twoRegions = definePage({
  path: '/uk-ireland',
  nav: 'UK & Ireland',
  // Exchange rates are loaded at any time.
  changesWith: sql`select max(loaded_at) from marts.fx_rate`,
  about: 'Prices of the same products in the United Kingdom and Ireland, tax included, on a night certified in both.',
  parameters: {
    region: RegionParameter,
    date: DateParameter.optional().meta({
      description: 'Compares the last night certified in both regions up to this date',
    }),
    department: textUpTo(200).meta({ description: 'British department' }),
    words: Words.meta({ description: 'Beginnings of words of the British title or brand' }),
    rate: RateParameter.meta({ description: 'Pounds for one euro (default: the loaded rate of the night)' }),
    sort: z.enum(['dearer-ie', 'dearer-uk', 'newest']).default('dearer-ie'),
    match: z
      .enum(['sure', 'all'])
      .default('sure')
      .meta({ description: 'Listed products: same barcode or base number, or all, also those equal by name' }),
    page: PageNumber,
  },
  queries: (p) => ({ ...articleQueries(p, lastOfBoth(p.date)), lines: lineNights(p.region) }),
  title: (p, { spread, rate, nights }) => {
    const all = spread.rows.find(({ step }) => step === null);
    const count = Number(all?.products ?? 0);
    if (!all || count === 0) return 'UK & Ireland';
    const products = `${plural(count, 'product')}${chosenWords(p)} sold in both`;
    const parity = nights.rows.at(-1)?.parity ?? null;
    if (rate.rows[0]!.basis === 'usual')
      return parity === null ? products : `${usualWords(p.region, parity)}, for ${products}`;
    const part = (some: string) => share((100 * Number(some)) / count);
    const average = Number(all.average_pct);
    const isSame = Math.abs(average) < 0.05;
    const size = isSame ? 'as dear' : `${share(average)} ${average > 0 ? 'dearer' : 'cheaper'}`;
    return (
      `Of ${products}, ${part(all.dearer)} are dearer in ${inRegion(otherOf(p.region))} and ` +
      `${part(all.cheaper)} cheaper; ${size} on average`
    );
  },
  lead: (p, { rate: { rows }, departments, spread }) => {
    const [rate] = rows;
    if (!rate?.snapshot_date) return '';
    const prices = `Shelf prices of the night of ${longDate(rate.snapshot_date)}, with taxes.`;
    return `${prices} ${rateWords(rate)}${farthest(p, departments.rows)}${listed(p, spread.rows)}`;
  },
  empty: ({ departments, nights }) =>
    departments.rows.length === 0 && nights.rows.length === 0
      ? 'No product is known to be sold in both regions on a night certified in both.'
      : null,
  view: ({ parameters: p, tables, hrefWith }) => {
    const { departments, rate, spread, articles, nights, lines } = tables;
    return (
      <>
        <Filters action="/uk-ireland" keep={{ region: p.region, rate: p.rate, match: p.match }}>
          <Field name="words" label="Title or brand in the UK" value={p.words} type="search" />
          <Choice
            name="department"
            label="Department"
            value={p.department ?? ''}
            options={{
              '': 'all',
              ...Object.fromEntries(
                departments.rows
                  .flatMap(({ department }) => department ?? [])
                  .sort()
                  .map((department) => [department, text(department)]),
              ),
            }}
          />
          <Choice
            name="sort"
            label="Order"
            value={p.sort}
            options={{
              'dearer-ie': 'dearest in Ireland first',
              'dearer-uk': 'dearest in the UK first',
              newest: 'newest first',
            }}
          />
          <Field name="date" label="Night up to" value={p.date} type="date" />
        </Filters>
        <div class="pair wide-left">
          <Spread of={spread} region={p.region} rate={rate.rows[0]!} />
          <RateCard of={rate} p={p} />
        </div>
        <Articles of={articles} lines={lines} p={p} rate={rate.rows[0]!} hrefWith={hrefWith}>
          <Pager page={p.page} hasMore={articles.hasMore} hrefWith={hrefWith} />
        </Articles>
        <div class="pair">
          <Card
            title="By department"
            aside={`on average, ${inRegion(otherOf(p.region))} against ${inRegion(p.region)}`}
          >
            <DataTable
              of={filled(departments)}
              cells={{
                department: ({ department }) =>
                  department === null ? (
                    <a href={hrefWith({ department: null, page: null })}>All</a>
                  ) : (
                    <a href={hrefWith({ department, page: null })}>{text(department)}</a>
                  ),
                gap_pct: (row) => <Gap percent={row.gap_pct} />,
              }}
            />
            <p class="quiet">{averageWords}</p>
          </Card>
          <Nights of={nights} p={p} />
        </div>
      </>
    );
  },
});

function rateWords({ basis, rate, source, rate_date }: Rate): string {
  if (basis === 'asked') return `At your rate: £${Number(rate)} for a euro.`;
  if (basis === 'usual') return 'No exchange rate is known: differences are against what is usual between the two.';
  return `£${Number(rate)} for a euro (${text(source)}, ${longDate(rate_date!)}).`;
}

/** The department with the largest difference; empty if only some products are chosen. */
function farthest({ region, words, department }: Parameters, departments: readonly Department[]): string {
  const first = departments.find((one) => one.department !== null);
  if (!first || words !== undefined || department !== undefined || Math.abs(Number(first.gap_pct)) < 0.05) return '';
  const size = `${share(first.gap_pct)} ${Number(first.gap_pct) > 0 ? 'dearer' : 'cheaper'}`;
  return ` The farthest apart is ${text(first.department)}, ${size} in ${inRegion(otherOf(region))}.`;
}

/** That the list leaves out matches by name, if there are any. */
function listed({ match }: Parameters, spread: readonly Step[]): string {
  const all = spread.find(({ step }) => step === null);
  if (match === 'all' || !all || all.sure === all.products) return '';
  return ` The list below shows sure matches only (${number(all.sure)} of ${number(all.products)}).`;
}

/** ` with “milk”, Dairy`: what is chosen; empty: everything. */
function chosenWords({ words, department }: Pick<Parameters, 'words' | 'department'>): string {
  return text(`${words === undefined ? '' : ` with “${words}”`}${department === undefined ? '' : ` of ${department}`}`);
}

/** `£1 in the United Kingdom is €1.22 in Ireland`. */
function usualWords(region: RegionCode, parity: string): string {
  const euros = `€${Number(parity).toFixed(2)}`;
  const pounds = `£${(1 / Number(parity)).toFixed(2)}`;
  return region === 'uk'
    ? `What costs £1 in the United Kingdom costs ${euros} in Ireland`
    : `What costs €1 in Ireland costs ${pounds} in the United Kingdom`;
}

const averageWords =
  'On average: the geometric mean of the price ratios, each product with the same weight. A product in two ' +
  'departments counts in both.';

/** Names of the steps of the spread. */
const steps = [
  '≤ −20%',
  '−10 to −20%',
  '−5 to −10%',
  '−1 to −5%',
  'within 1%',
  '+1 to +5%',
  '+5 to +10%',
  '+10 to +20%',
  '≥ +20%',
];

function Spread({ of: spread, region, rate }: { of: Table<Step>; region: RegionCode; rate: Rate }): JSX.Element {
  const known = new Map(spread.rows.map(({ step, products }) => [step, Number(products)]));
  const against = rate.basis === 'usual' ? 'what is usual' : `the price in ${inRegion(region)}`;
  const all = spread.rows.find(({ step }) => step === null);
  return (
    <Card title={spread.caption} aside={`products by their price in ${inRegion(otherOf(region))} against ${against}`}>
      <Columns
        id="spread"
        title={spread.caption}
        description={steps.map((name, i) => `${name}: ${plural(known.get(i) ?? 0, 'product')}`).join(', ')}
        columns={steps.map((name, i) => ({
          name,
          parts: [
            {
              kind: i === middleStep ? 'kept' : i > middleStep ? 'up' : 'down',
              value: known.get(i) ?? 0,
            },
          ],
        }))}
      />
      {all && (
        <p class="quiet">
          {`${plural(Number(all.dearer), 'product')} more than 1% dearer, ${number(all.cheaper)} more than 1% ` +
            `cheaper, ${number(known.get(middleStep) ?? 0)} about the same.`}
        </p>
      )}
      <Ways table={spread} />
    </Card>
  );
}

/** The rate, and a form that tries another one. */
function RateCard({ of: table, p }: { of: Table<Rate>; p: Parameters }): JSX.Element {
  const { rate, basis } = table.rows[0]!;
  const { region, department, words, date, sort, match } = p;
  return (
    <Card title="What a euro costs">
      <p>
        {basis === 'usual'
          ? 'No rate is known for this night. Say what a euro costs, and this page says which country is dearer.'
          : 'Another rate moves every difference: try one.'}
      </p>
      <form class="filters" action="/uk-ireland" autocomplete="off">
        {Object.entries({ region, department, words, date, sort, match }).map(
          ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <label>
          Pounds for one euro
          <input
            name="rate"
            type="number"
            min="0.4"
            max="1.02"
            step="0.0001"
            placeholder="0.86"
            value={basis === 'usual' ? '' : Number(rate)}
            required
          />
        </label>
        <button type="submit">Compare</button>
      </form>
      <details>
        <summary>Keep rates for every night</summary>
        <p class="quiet">
          {withCode('Whoever runs Pricebook loads them with `pricebook rates load FILE.csv`, from a file like this:')}
        </p>
        <pre class="wrapped">{'date,pair,rate,source\n2026-03-02,EUR/GBP,0.8712,ECB reference rate'}</pre>
      </details>
      <Ways table={table} />
    </Card>
  );
}

function Articles(props: {
  of: Table<Article>;
  lines: Table<Night>;
  p: Parameters;
  rate: Rate;
  hrefWith: HrefWith;
  children: JSX.Element;
}): JSX.Element {
  const { of: articles, lines, p, rate, hrefWith, children } = props;
  const other = otherOf(p.region);
  return (
    <Card title={articles.caption} aside={`small chart: ${inRegion(other)} against ${inRegion(p.region)}`}>
      <Chips
        label="Certainty of the match"
        chosen={p.match}
        options={{ sure: 'Same barcode or base number', all: 'All, also the same by name' }}
        href={(match) => hrefWith({ match, page: null })}
      />
      <ProductTable<Article>
        of={articles}
        nights={lines}
        form={null}
        drawn={({ ratios }) => ratios}
        sign={({ gap_pct }) => Number(gap_pct)}
        below={(row) => (
          <>
            {row.brand !== null && <span>{text(row.brand)}</span>}
            <a href={productHref(other, other === 'ie' ? row.ie_product_id : row.uk_product_id)}>
              In {other === 'uk' ? 'the UK' : 'Ireland'}
              <span class="hidden">: {text(row.other_title)}</span>
            </a>
            <a
              href={`/compare?p=uk:${row.uk_product_id},ie:${row.ie_product_id}&region=${p.region}&show=index`}
              aria-label={`Compare ${text(row.title)}`}
            >
              Compare
            </a>
            {row.tier === nameTier && <Badge>same by name</Badge>}
          </>
        )}
        columns={[
          { heading: 'UK', isNamed: true, cell: ({ uk_price }) => money(uk_price, 'GBP') },
          {
            heading: 'Ireland',
            isNamed: true,
            cell: ({ ie_price }) => (
              <>
                {money(ie_price, 'EUR')}
                {rate.basis !== 'usual' && (
                  <small>{money((Number(ie_price) * Number(rate.rate)).toFixed(2), 'GBP')}</small>
                )}
              </>
            ),
          },
          {
            heading: rate.basis === 'usual' ? 'Against the usual' : `${regions[other].name} is`,
            isPrice: true,
            cell: (row) => <Gap percent={row.gap_pct} />,
          },
        ]}
      />
      {children}
    </Card>
  );
}

function Nights({ of: nights, p }: { of: Table<Parity>; p: Parameters }): JSX.Element {
  const { rows } = nights;
  const isUk = p.region === 'uk';
  const value = ({ parity }: Parity) => (parity === null ? null : isUk ? Number(parity) : 1 / Number(parity));
  const [own, other] = isUk ? ['£1', '€'] : ['€1', '£'];
  return (
    <Card
      title={isUk ? 'Euros for what £1 buys in the UK' : 'Pounds for what €1 buys in Ireland'}
      aside={chosenWords(p).trim() || 'all products, night by night'}
    >
      {rows.length > 0 && (
        <PeriodChart
          id="parity"
          title="Parity by night"
          description={`${other} for what costs ${own}, ${plural(rows.length, 'night')}.`}
          periods={datesBetween(rows[0]!.snapshot_date, rows.at(-1)!.snapshot_date)}
          series={[
            { name: `${other} for ${own}`, values: new Map(rows.map((row) => [row.snapshot_date, value(row)])) },
          ]}
          format={(amount) => `${other}${Number(amount.toFixed(4))}`}
        />
      )}
      <p class="quiet">Whatever the exchange rate: it moves only when prices do.</p>
      <DataTable of={filled(nights)} isFolded={rows.length > 0} cells={{ parity: ({ parity }) => asRate(parity) }} />
    </Card>
  );
}

/** Difference of two prices. */
function Gap({ percent }: { percent: string | null }): JSX.Element {
  return Math.abs(Number(percent)) < 0.05 ? <span class="quiet">the same</span> : <Change percent={percent} />;
}

/** Four decimals, as usual for exchange rates; nightly changes show in the third. */
function asRate(rate: string | null): string {
  return rate === null ? nothing : Number(rate).toFixed(4);
}
