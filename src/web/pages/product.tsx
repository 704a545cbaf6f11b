import type { JSX } from 'preact';
import { z } from 'zod';
import { regions } from '../../base/model/index.ts';
import { RegionParameter } from '../../questions/parameters.ts';
import type { AvailabilitySpell, ProductFacts } from '../../questions/product.ts';
import { Change } from '../change.tsx';
import { dayOf } from '../charts/days.ts';
import { DataTable } from '../data-table.tsx';
import { Thumb } from '../icons.tsx';
import { definePage, type TablesOf } from '../page.ts';
import { basketHref, Card, compareHref, productHref } from '../parts.tsx';
import { availabilityWords, Badge, PriceCell, ProductTable, unitPrice, unitPrices } from '../product-table.tsx';
import { Ranges, SpanParameter, spans } from '../spans.tsx';
import {
  dayAndMonth,
  exactMoney,
  inWords,
  longDate,
  money,
  number,
  plural,
  text,
  unitName,
  unsnaked,
} from '../words.ts';
import { GoodPrice } from './good-price.tsx';
import { packSize, perUnits } from './pack-words.ts';
import { Charts } from './product-charts.tsx';
import { Offer, Offers, runningByUnit, runningOffer } from './product-offers.tsx';
import { isListed, type PackChange, type PromotionSpell, productQueries } from './product-queries.ts';

type Tables = TablesOf<ReturnType<typeof productQueries>>;

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
    span: SpanParameter,
  },
  queries: ({ region, id, span }) => productQueries(region, id, spans[span]),
  hasOwnHeading: true,
  elsewhere(region, { tables: { facts, match, trail }, parameters }) {
    const [twin] = match.rows;
    if (twin) return `${productHref(region, twin.product_id)}&span=${parameters.span}`;
    const shelf = trail.rows.findLast(({ other_key }) => other_key !== null)?.other_key ?? null;
    const title = encodeURIComponent(facts.rows[0]?.title ?? '');
    return `/products?region=${region}&${shelf === null ? `q=${title}` : `category=${shelf}&instead_of=${title}`}`;
  },
  title: ({ id }, { facts }) => text(facts.rows[0]?.title ?? `Product ${id}`),
  empty: ({ facts }, { id, region }) =>
    facts.rows.length === 0 ? `There is no product ${id} in region ${region}.` : null,
  view: ({ parameters, tables, hrefWith }) => {
    const facts = tables.facts.rows[0]!;
    const { currency } = facts;
    const last = tables.lines.rows.at(-1)?.snapshot_date ?? tables.nights.rows.at(-1)?.snapshot_date;
    const running = runningOffer(tables.promotions.rows);
    const byUnit = runningByUnit(tables.promotions.rows);
    return (
      <>
        <Head facts={facts} tables={tables} byUnit={byUnit} />
        <Shrunk of={tables.changes.rows[0]} />
        <section class="card" id="prices">
          <header>
            <h2>Price, night by night</h2>
            <Ranges
              chosen={parameters.span}
              hrefWith={hrefWith}
              swaps="prices"
              known={last === undefined ? 0 : dayOf(last) - dayOf(facts.first_seen_on) + 1}
            />
          </header>
          <Charts facts={facts} tables={tables} />
        </section>
        {running && <Offer of={running} title={facts.title} />}
        <div class="pair wide-left">
          {last !== undefined && (
            <GoodPrice
              facts={facts}
              spells={tables.prices.rows}
              last={last}
              offer={running}
              byUnit={byUnit}
              isPerUnit={tables.changes.rows.length > 0}
            />
          )}
          {tables.match.rows.length > 0 && <Elsewhere of={tables.match} />}
        </div>
        {tables.shelf.rows.length + tables.promotions.rows.length > 0 && (
          <div class="pair">
            {tables.shelf.rows.length > 0 && <Shelf tables={tables} />}
            {tables.promotions.rows.length > 0 && (
              <Card id="offers" title="Its offers" aside={plural(tables.promotions.rows.length, 'offer')}>
                <Offers of={tables.promotions.rows} title={facts.title} />
                <DataTable of={tables.promotions} isFolded />
              </Card>
            )}
          </div>
        )}
        <div class="pair">
          <Card title="What is in it">
            <Details facts={facts} categories={tables.categories.rows.map(({ path }) => path)} />
            {tables.nutrition.rows.length > 0 && <DataTable of={tables.nutrition} isFolded />}
          </Card>
          <Card title="History">
            <DataTable
              of={{ ...tables.prices, rows: tables.prices.rows.slice(0, 12) }}
              cells={{
                valid_to: (row) => (row.valid_to === null ? 'now' : inWords(row.valid_to, 'date')),
                unit_price: (row) => unitPrice({ ...row, currency }),
              }}
            />
            {tables.prices.rows.length > 12 && (
              <p class="quiet">The newest 12 of {tables.prices.rows.length}; the CSV has all.</p>
            )}
            <DataTable
              of={tables.availability}
              isFolded
              cells={{ availability: (row) => unsnaked(row.availability) }}
            />
            {tables.packs.rows.length > 0 && <DataTable of={tables.packs} isFolded />}
          </Card>
        </div>
      </>
    );
  },
});

/** Name, shelf and facts of the product, and its prices as labels of a shelf. */
function Head(props: { facts: ProductFacts; tables: Tables; byUnit: PromotionSpell | undefined }): JSX.Element {
  const { facts, tables, byUnit } = props;
  const { region, currency, price, loyalty_price: members, unit_price: unit } = facts;
  const gone = goneSince(tables.availability.rows);
  const perUnit = (amount: number) => (
    <span class="per">
      {exactMoney(amount.toFixed(2), currency)}
      <br />
      per {unitName(facts.unit_of_measure)}
    </span>
  );
  return (
    <>
      <ul class="crumbs">
        {tables.trail.rows.map(({ category_key, name }) => (
          <li key={category_key}>
            <a href={`/products?region=${region}&category=${category_key}`}>{text(name)}</a>
          </li>
        ))}
      </ul>
      <div class="buy">
        <Thumb department={tables.trail.rows[0]?.name ?? null} isLarge />
        <div>
          <h1>{text(facts.title ?? facts.product_id)}</h1>
          <p class="sub">
            {facts.brand !== null && (
              <a href={`/products?region=${region}&q=${encodeURIComponent(facts.brand)}`}>{text(facts.brand)}</a>
            )}
            {packOf(facts) !== null && <span>{packOf(facts)}</span>}
            <span>{availabilityWords(facts.availability)}</span>
            {facts.on_promotion && <Badge kind="offer">On offer</Badge>}
          </p>
          <p class="chips">
            <a class="chip" href={compareHref(facts)}>
              Compare
            </a>
            <a class="chip" href={basketHref(facts)} data-add={`${region}:${facts.product_id}`}>
              Add to a basket
            </a>
            <a class="chip" href={`/watch?region=${region}&product=${encodeURIComponent(facts.product_id)}`}>
              Tell me when…
            </a>
          </p>
          {gone !== null && (
            <p class="warn">Last known price: the product is not listed since the night of {longDate(gone)}.</p>
          )}
        </div>
        <div class="labels">
          <p class="shelf-label">
            {(members !== null || byUnit) && <span class="for">Shelf</span>}
            <span class="amount">{money(price, currency)}</span>
            {unit !== null && perUnit(Number(unit))}
          </p>
          {members === null && byUnit && (
            <p class="shelf-label offer">
              <span class="for">Members</span>
              <span class="amount">{money(byUnit.reduced_price, currency)}</span>
              <span class="per">per {unitName(byUnit.unit_of_measure)}</span>
            </p>
          )}
          {members !== null && (
            <p class="shelf-label offer">
              <span class="for">Members</span>
              <span class="amount">{money(members, currency)}</span>
              {unit !== null && Number(price) > 0 && perUnit((Number(unit) * Number(members)) / Number(price))}
            </p>
          )}
        </div>
      </div>
    </>
  );
}

/** First night since which the product is not listed; null: it is listed. Spells are newest first. */
function goneSince(spells: readonly AvailabilitySpell[]): string | null {
  const returned = spells.findIndex(isListed);
  return (returned < 0 ? spells : spells.slice(0, returned)).at(-1)?.valid_from ?? null;
}

/** A pack that shrank within the last year, and its effect. */
function Shrunk({ of: change }: { of: PackChange | undefined }) {
  if (!change || Number(change.new_size) >= Number(change.old_size)) return null;
  const { snapshot_date, old_size, new_size, unit, unit_price_effect_pct: effect } = change;
  const size = Math.abs(Number(effect)).toFixed(1);
  const dearer = Number(effect) > 0 ? 'more' : 'less';
  const per = perUnits[unit] ?? unit;
  return (
    <p class="note">
      {`The pack shrank from ${number(old_size)} to ${packSize(new_size, unit)} on ${dayAndMonth(snapshot_date, 9)}`}
      {effect !== null && (size === '0.0' ? `: as much per ${per}` : `: ${size}% ${dearer} per ${per}`)}.
    </p>
  );
}

/** Products of its shelf that cost less per unit. */
function Shelf({ tables }: { tables: Tables }) {
  return (
    <Card title="Cheaper on the same shelf" aside={text(tables.trail.rows.at(-1)?.name ?? '')}>
      <ProductTable
        of={tables.shelf}
        nights={tables.lines}
        columns={[
          {
            heading: 'Per unit',
            isPrice: true,
            cell: (row) => (
              <>
                <span class="price">{unitPrices(row)}</span>
                <Change percent={row.difference_pct} />
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** The same article in the other region. */
function Elsewhere({ of: match }: { of: Tables['match'] }) {
  const [other] = match.rows;
  return (
    <Card title={other ? `In ${regions[other.region].name}` : 'In the other region'}>
      {other && (
        <div class="item">
          <div>
            <a class="name" href={productHref(other.region, other.product_id)}>
              {text(other.title)}
            </a>
            <p class="sub">
              {tiers[other.tier] ?? other.tier}, {availabilityWords(other.availability)}
            </p>
          </div>
          <div class="number">
            <PriceCell of={other} />
            <small class="quiet">{unitPrice(other)}</small>
          </div>
        </div>
      )}
      <DataTable
        of={match}
        isFolded
        cells={{
          title: (row) => <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>,
          unit_price: (row) => unitPrice(row),
          tier: (row) => tiers[row.tier] ?? row.tier,
        }}
      />
    </Card>
  );
}

function Details({ facts, categories }: { facts: ProductFacts; categories: readonly string[] }): JSX.Element {
  const entries: readonly (readonly [string, string | null])[] = [
    ...(facts.details_since === null
      ? []
      : ([
          ['Description', facts.description],
          ['Ingredients', facts.ingredients],
          ['Allergens', facts.allergens],
          ['Storage', facts.storage],
        ] as const)),
    ['Category', categories.length === 0 ? null : categories.map(text).join('; ')],
    ['Pack', packOf(facts)],
    ['Barcode', facts.gtin],
    ['Id', facts.product_id],
    ['First seen', longDate(facts.first_seen_on)],
  ];
  const known = entries.filter(([, value]) => value !== null);
  return (
    <>
      {facts.details_since === null && (
        <p class="none">
          The details of this product have not been read yet: each night reads as many as its budget allows.
        </p>
      )}
      <dl class="facts">
        {known.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{inWords(value, 'text')}</dd>
          </>
        ))}
      </dl>
    </>
  );
}

function packOf({ pack_size, pack_measure, pack_count }: ProductFacts): string | null {
  if (pack_size === null) return null;
  const pieces = pack_count === null || pack_count === 1 || pack_measure === 'each' ? '' : `, ${pack_count} pieces`;
  return `${packSize(pack_size, pack_measure ?? '')}${pieces}`;
}
