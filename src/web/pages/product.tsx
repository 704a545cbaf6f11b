import type { JSX } from 'preact';
import { z } from 'zod';
import { RegionParameter } from '../../questions/parameters.ts';
import type { AvailabilitySpell, PriceSpell, ProductFacts, Spell } from '../../questions/product.ts';
import { AvailabilityStrip } from '../charts/availability-strip.tsx';
import { chartNights, StepChart } from '../charts/step-chart.tsx';
import type { ChartNights, Spell as Stretch } from '../charts/steps.ts';
import { isStretch, stretchParameters } from '../charts/stretch.ts';
import { DataTable } from '../data-table.tsx';
import { definePage } from '../page.ts';
import { Field, productHref, unitPrice } from '../parts.tsx';
import { priorPriceWords } from '../prior-price.ts';
import { inWords, money, text, unsnaked } from '../words.ts';
import { type PackSpell, type PromotionSpell, productQueries } from './product-queries.ts';

const spans = { month: 31, quarter: 91, year: 366, all: 36_500 } as const;

/** How a match is established; see docs/analyse/two-regions.md. */
const tiers: Readonly<Record<number, string>> = {
  1: 'same barcode',
  2: 'same base product number',
  3: 'same brand, name and content',
};

export const product = definePage({
  path: '/product',
  about: 'Price history, availability, details and sources of one product.',
  isOfOneThing: true,
  parameters: {
    region: RegionParameter,
    id: z.string('must be given: the id of a product').max(64),
    span: z
      .enum(['month', 'quarter', 'year', 'all'])
      .default('year')
      .meta({ description: 'Length of the charts if no dates are given' }),
    ...stretchParameters,
  },
  queries: ({ region, id, span, from, to }) => productQueries(region, id, { days: spans[span], from, to }),
  title: ({ id }, { facts }) => text(facts.rows[0]?.title ?? `Product ${id}`),
  empty: ({ facts }, { id, region }) =>
    facts.rows.length === 0 ? `There is no product ${id} in region ${region}.` : null,
  view: ({ parameters, tables, hrefWith }) => {
    const facts = tables.facts.rows[0]!;
    const { currency } = facts;
    const nights = chartNights(
      tables.nights.rows.map(({ snapshot_date }) => snapshot_date),
      facts.first_seen_on,
    );
    return (
      <>
        <Summary
          facts={facts}
          categories={tables.categories.rows.map(({ path }) => path)}
          goneSince={goneSince(tables.availability.rows)}
        />
        <nav aria-label="Length of the charts">
          <ul>
            {(['month', 'quarter', 'year', 'all'] as const).map((span) => (
              <li key={span}>
                <a
                  href={hrefWith({ span, from: null, to: null })}
                  aria-current={span === parameters.span && !isStretch(parameters) ? 'true' : undefined}
                >
                  {span === 'all' ? 'all nights' : `last ${span}`}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <form class="filters" action="/product" autocomplete="off">
          <input type="hidden" name="region" value={parameters.region} />
          <input type="hidden" name="id" value={parameters.id} />
          <Field name="from" label="Charts from" value={parameters.from ?? nights?.first} type="date" />
          <Field name="to" label="to" value={parameters.to ?? nights?.last} type="date" />
          <button type="submit">Zoom</button>
        </form>
        {nights === null ? (
          <p class="none">No certified night in this range lists the product.</p>
        ) : (
          <Charts nights={nights} currency={currency} tables={tables} />
        )}
        <h2>History</h2>
        <DataTable of={tables.prices} cells={{ unit_price: (row) => unitPrice({ ...row, currency }) }} />
        <DataTable of={tables.lowest} />
        <DataTable of={tables.promotions} cells={{ prior_price_check: (row) => priorPriceWords(row) }} />
        <DataTable of={tables.availability} isFolded cells={{ availability: (row) => unsnaked(row.availability) }} />
        <DataTable of={tables.packs} isFolded />
        <h2>Details</h2>
        <Details facts={facts} />
        <DataTable of={tables.nutrition} />
        <h2>In the other region</h2>
        <DataTable
          of={tables.match}
          cells={{
            title: (row) => <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>,
            unit_price: (row) => unitPrice(row),
            tier: (row) => tiers[row.tier] ?? row.tier,
          }}
        />
        <h2>Sources</h2>
        <DataTable of={tables.sources} cells={{ certificate: (row) => unsnaked(row.certificate ?? 'no run') }} />
      </>
    );
  },
});

interface SummaryProps {
  readonly facts: ProductFacts;
  readonly categories: readonly string[];
  /** First night without the product; null: it is listed. */
  readonly goneSince: string | null;
}

function Summary({ facts, categories, goneSince }: SummaryProps): JSX.Element {
  return (
    <div class="cards">
      <div class="card">
        <p class="big">{money(facts.price, facts.currency)}</p>
        {goneSince !== null && (
          <p class="warn">last known price: the product is not listed since the night of {goneSince}</p>
        )}
        <p>{unitPrice(facts)}</p>
        {facts.loyalty_price !== null && <p>{money(facts.loyalty_price, facts.currency)} for members</p>}
        <p>
          {unsnaked(facts.availability)}
          {facts.on_promotion ? ', on promotion' : ''}
        </p>
      </div>
      <dl class="card">
        <Entry name="Brand" value={facts.brand} />
        <Entry name="Id" value={facts.product_id} />
        <Entry name="Barcode" value={facts.gtin} />
        <Entry name="Category" value={categories.length === 0 ? null : categories.map(text).join('; ')} />
        <Entry name="First seen" value={facts.first_seen_on} />
        <Entry name="Pack" value={packOf(facts)} />
      </dl>
    </div>
  );
}

const listed = ['available', 'unavailable'];

/** First night since which the product is not listed; null: it is listed. Spells are newest first. */
function goneSince(spells: readonly AvailabilitySpell[]): string | null {
  const returned = spells.findIndex(({ availability }) => listed.includes(availability));
  return (returned < 0 ? spells : spells.slice(0, returned)).at(-1)?.valid_from ?? null;
}

function Details({ facts }: { facts: ProductFacts }): JSX.Element {
  if (facts.details_since === null) {
    return (
      <p class="none">
        The details of this product have not been read yet: each night reads as many as its budget allows.
      </p>
    );
  }
  return (
    <dl>
      <Entry name="Description" value={facts.description} />
      <Entry name="Ingredients" value={facts.ingredients} />
      <Entry name="Allergens" value={facts.allergens} />
      <Entry name="Storage" value={facts.storage} />
      <Entry name="Details since" value={inWords(facts.details_since, 'instant')} />
    </dl>
  );
}

function Entry({ name, value }: { name: string; value: string | null }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{inWords(value, 'text')}</dd>
    </>
  );
}

interface ChartsProps {
  readonly nights: ChartNights;
  readonly currency: string;
  readonly tables: {
    readonly prices: { readonly rows: readonly PriceSpell[] };
    readonly promotions: { readonly rows: readonly PromotionSpell[] };
    readonly availability: { readonly rows: readonly AvailabilitySpell[] };
    readonly packs: { readonly rows: readonly PackSpell[] };
  };
}

function Charts({ nights, currency, tables: { prices, promotions, availability, packs } }: ChartsProps): JSX.Element {
  const format = (value: number) => money(value, currency);
  const measures = new Set(packs.rows.map(({ pack_measure }) => pack_measure));
  const units = new Set(prices.rows.flatMap(({ unit_of_measure: unit }) => (unit === null ? [] : [unit])));
  const description = `From ${nights.first} to ${nights.last},
    on ${nights.certified.size} certified nights. The table below has the numbers.`;
  const hasLoyalty = prices.rows.some(({ loyalty_price }) => loyalty_price !== null);
  return (
    <>
      <StepChart
        id="price"
        title={`Price in ${currency}`}
        description={description}
        nights={nights}
        series={[
          { name: 'shelf price', spells: spellsOf(prices.rows, ({ price }) => price) },
          ...(hasLoyalty
            ? [{ name: 'price for members', spells: spellsOf(prices.rows, ({ loyalty_price }) => loyalty_price) }]
            : []),
        ]}
        bands={promotions.rows.map(({ valid_from, valid_to }) => ({ from: valid_from, to: valid_to }))}
        bandName="carries a promotion"
        format={format}
      />
      <AvailabilityStrip
        id="availability"
        title="Availability"
        description={description}
        nights={nights}
        spells={availability.rows.map((row) => ({ from: row.valid_from, to: row.valid_to, value: row.availability }))}
      />
      {[...units].map((unit, i) => (
        <StepChart
          key={unit}
          id={`unit-price-${i}`}
          title={`Price per ${text(unit)} in ${currency}`}
          description={description}
          nights={nights}
          series={[
            {
              name: `price per ${text(unit)}`,
              spells: spellsOf(
                prices.rows.filter(({ unit_of_measure }) => unit_of_measure === unit),
                ({ unit_price }) => unit_price,
              ),
            },
          ]}
          format={format}
        />
      ))}
      {[...measures].map((measure, i) => (
        <StepChart
          key={measure}
          id={`pack-${i}`}
          title={`Pack size in ${measure}`}
          description={description}
          nights={nights}
          series={[
            {
              name: `whole pack, ${measure}`,
              spells: whileListed(
                spellsOf(
                  packs.rows.filter(({ pack_measure }) => pack_measure === measure),
                  ({ pack_size }) => pack_size,
                ),
                availability.rows,
              ),
            },
          ]}
          format={(value) => `${value} ${measure}`}
        />
      ))}
    </>
  );
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
function whileListed(
  spells: readonly Stretch<number>[],
  availability: readonly AvailabilitySpell[],
): Stretch<number>[] {
  const stretches = availability.filter((row) => listed.includes(row.availability));
  return spells.flatMap(({ from, to, value }) =>
    stretches
      .map(({ valid_from, valid_to }) => ({
        from: valid_from > from ? valid_from : from,
        to: to === null || (valid_to !== null && valid_to < to) ? valid_to : to,
        value,
      }))
      .filter((shared) => shared.to === null || shared.from < shared.to),
  );
}

function packOf({ pack_size, pack_measure, pack_count, pack_source }: ProductFacts): string | null {
  if (pack_size === null) return null;
  const size = `${Number(pack_size)} ${pack_measure}`;
  const pieces = pack_count === null || pack_count === 1 ? '' : `, ${pack_count} pieces`;
  return `${size}${pieces} (source: ${unsnaked(pack_source ?? 'record')})`;
}
