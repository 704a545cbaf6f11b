import type { JSX } from 'preact';
import type { RegionCode } from '../../base/model/index.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { prices } from '../../questions/prices.ts';
import { unitPriceRank } from '../../questions/unit-price-rank.ts';
import { productHref, searchOf } from '../kernel/addresses.ts';
import { beside, of } from '../kernel/blocks.tsx';
import { perUnitNow } from '../kernel/cells.tsx';
import { page } from '../kernel/page.ts';
import { Badge, Card, Facts } from '../kernel/parts.tsx';
import { availabilityWords, Badges, products } from '../kernel/products.tsx';
import { Table } from '../kernel/table.tsx';
import { badgeWords, lastNightOf, spanWords, verdictOf, verdictSentence } from '../kernel/verdicts.ts';
import {
  articled,
  dayAndMonth,
  longDate,
  money,
  number,
  packSize,
  perUnits,
  plural,
  regionName,
  shortDate,
  text,
  unitPrice,
} from '../kernel/words.ts';
import { goodPrice } from './good-price.tsx';
import { priceCharts } from './product-charts.tsx';
import { dataOf, type ProductPage } from './product-data.ts';
import { head, packOf } from './product-head.tsx';

/** A pack that changed within the last year: its effect on that night, and with the price changes since. */
async function packChange(shown: ProductPage): Promise<JSX.Element | null> {
  const { facts, spells, changes } = await dataOf(shown);
  const [change] = changes;
  if (!change) return null;
  const { snapshot_date: night, old_size, new_size, unit, unit_price_effect_pct: effect } = change;
  const before = spells.find(({ valid_from, price }) => valid_from < night && price !== null);
  // By the price and the content, as the effect: prices per unit are rounded.
  const dearer = (Number(facts.price) * Number(old_size)) / (Number(before?.price) * Number(new_size));
  const [atOnce, byNow] = [Number(effect), 100 * (dearer - 1)].map(more);
  const verb = Number(new_size) < Number(old_size) ? 'shrank' : 'grew';
  const per = perUnits[unit] ?? unit;
  return (
    <p class="note">
      {`The pack ${verb} from ${number(old_size)} to ${packSize(new_size, unit)} on ${dayAndMonth(night, 9)}`}
      {effect !== null && `: ${atOnce} per ${per}`}
      {effect !== null && before && byNow !== atOnce && ` that night, ${byNow} by now`}.
      {effect !== null && ` The shop rounds its prices per ${per}.`}
    </p>
  );
}

/** `12.5% more`. */
function more(percent: number): string {
  const size = Math.abs(percent).toFixed(1);
  return size === '0.0' ? 'as much as before' : `${size}% ${percent > 0 ? 'more' : 'less'}`;
}

async function offers(shown: ProductPage): Promise<JSX.Element | null> {
  const { offers: all } = await dataOf(shown);
  if (all.length === 0) return null;
  return (
    <Card id="offers" title="Its offers" aside={plural(all.length, 'offer')}>
      <Table
        caption="Its offers"
        columns={[{ name: 'description', heading: 'Offer', as: 'sentence' }]}
        rows={all.slice(0, 6)}
        cells={{
          description: (row) => (
            <>
              <strong>{text(row.description ?? '')}</strong>
              <p class="sub">
                {`${spanWords(row)}: ${verdictSentence(row, row.title)}`}
                <Badge kind={verdictOf(row.verdict_label)}>{badgeWords(row, row.title)}</Badge>
              </p>
            </>
          ),
        }}
      />
      {all.length > 6 && <a href={`/promotions${searchOf(shown.written)}`}>All its offers</a>}
    </Card>
  );
}

/** The same article in the other region. */
async function elsewhere(shown: ProductPage): Promise<JSX.Element | null> {
  const { twin: other } = await dataOf(shown);
  if (!other) return null;
  return (
    <Card
      title={`In ${articled(regionName(other.region))}`}
      aside={`${other.match_label}, ${availabilityWords(other.availability)}`}
    >
      <a class="name" href={productHref(other.region, other.product_id)}>
        {text(other.title)}
      </a>
      <p class="item">
        <span class="price">{money(other.price, other.currency)}</span>
        {other.loyalty_price !== null && other.availability === 'available' && (
          <Badge kind="offer">{money(other.loyalty_price, other.currency)} members</Badge>
        )}
        {unitPrice(other.unit_price, other.unit_of_measure, other.currency)}
      </p>
    </Card>
  );
}

async function details(shown: ProductPage): Promise<JSX.Element> {
  const { facts, trail } = await dataOf(shown);
  const isRead = facts.details_since !== null;
  return (
    <Card title="What is in it">
      {!isRead && (
        <p class="none">
          The details of this product have not been read yet: each night reads as many as its budget allows.
        </p>
      )}
      <Facts
        of={[
          ['Description', isRead ? facts.description : null],
          ['Ingredients', isRead ? facts.ingredients : null],
          ['Allergens', isRead ? facts.allergens : null],
          ['Storage', isRead ? facts.storage : null],
          ['Category', trail.map(({ name }) => text(name)).join(' › ') || null],
          ['Pack', packOf(facts)],
          ['Barcode', facts.gtin],
          ['Id', facts.product_id],
          ['First seen', longDate(facts.first_seen_on!)],
        ].map(([name, value]) => [name!, value === null ? null : text(value)] as const)}
      />
    </Card>
  );
}

/** Spells in the history. */
const spellsShown = 12;

async function history(shown: ProductPage): Promise<JSX.Element> {
  const { spells, facts, out } = await dataOf(shown);
  const open = facts.availability === 'available' ? 'now' : 'not for sale now';
  return (
    <Card title="History">
      <Table
        caption="Prices"
        columns={[
          { name: 'valid_from', heading: 'From', as: 'date' },
          { name: 'until', heading: 'To' },
          ...fields('price', 'unit_price', 'loyalty_price'),
        ]}
        rows={spells.slice(0, spellsShown).map((row) => ({
          ...row,
          until: row.valid_to === null ? open : shortDate(lastNightOf(row.valid_to)),
        }))}
        cells={{ unit_price: (row) => unitPrice(row.unit_price, row.unit_of_measure, row.currency) }}
      />
      {out.length > 0 && <p class="quiet">Prices as the shop listed them, also while it was not for sale.</p>}
      {spells.length > spellsShown && (
        <p class="quiet">
          The newest {spellsShown} of {spells.length}; the CSV has all.
        </p>
      )}
    </Card>
  );
}

const shelf = of(
  unitPriceRank,
  ({ region, product }: { region: RegionCode; product: string }) => ({ region, product }),
  products<RowOf<typeof unitPriceRank>, unknown>({
    title: 'Cheapest on the same shelf, without a card',
    only: 5,
    all: 'The whole shelf',
    below: (row) => (row.is_asked ? <Badge>this product</Badge> : <Badges of={row.line} axis={null} />),
    cells: [{ ...perUnitNow, isPrice: true }],
  }),
);

export const productPage = page(prices, {
  path: '/product',
  about: 'Price history, availability, details and sources of one product.',
  hasOwnHeading: true,
  async title(shown) {
    const { title, product_id: id } = (await dataOf(shown)).facts;
    return text(title ?? `Product ${id}`);
  },
  async elsewhere(shown, region) {
    const { facts, trail, twin } = await dataOf(shown);
    if (twin) return productHref(region, twin.product_id);
    const category = trail.at(-1)?.category_id;
    return `/find${searchOf(category ? { region, category } : { region, words: facts.title })}`;
  },
  blocks: [head, packChange, priceCharts, beside('pair flow')(goodPrice, elsewhere, shelf, offers, details, history)],
});
