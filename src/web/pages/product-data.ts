import { NothingFound } from '../../base/errors.ts';
import { soldFirst } from '../../questions/basket.ts';
import { isCertified } from '../../questions/certified.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { packChanges } from '../../questions/pack-changes.ts';
import type { prices } from '../../questions/prices.ts';
import * as product from '../../questions/product.ts';
import { sql } from '../../questions/sql.ts';
import { dayOf } from '../charts/days.ts';
import type { ParametersOf, Shown } from '../kernel/page.ts';
import { judged } from '../kernel/verdicts.ts';
import { upFrom } from './category-links.tsx';

export type ProductPage = Shown<RowOf<typeof prices>, ParametersOf<typeof prices>>;
export type PriceSpell = RowOf<typeof prices>;

/** What the blocks of the page need. Throws `NothingFound` for a product that was never listed. */
export async function dataOf(shown: ProductPage) {
  const { ask, of, rows } = shown;
  const { region, product: id } = shown.parameters;
  const facts = await factsOf(shown);
  const spells = (await rows({ limit: null, given: { since: undefined } })).rows;
  const offers = (await (await of(judged, { region, product: id })).rows({ limit: null })).rows;
  const running = offers.filter(({ has_ended }) => !has_ended);
  const changes = (await (await of(packChanges, { region, product: id })).rows({ limit: null })).rows;
  const byUnit = offers.filter((row) => row.basis === 'unit_price' && row.reduced_price !== null);
  const availability = await ask({
    caption: 'Availability',
    columns: product.availabilityColumns,
    sql: product.availabilityOf(region, id),
  });
  return {
    /** What is not for sale has the price that it last had for sale, whatever the shop lists meanwhile. */
    facts: { ...facts, ...(facts.availability !== 'available' && spells[0]) },
    /** Its promotions, newest first. */
    offers,
    /** The running one that is checked, or else the newest. */
    running: running.find(({ prior_price_check }) => prior_price_check !== null) ?? running[0],
    /** Offers that give members a price per unit, such as per kg. */
    byUnit,
    /** Unit of the prices that can be compared if the pack changed or an offer is per unit. Null: prices of a pack. */
    per: changes.length > 0 || byUnit.length > 0 ? facts.unit_of_measure : null,
    nights: await nightsOf(shown),
    /** All prices, newest first. */
    spells,
    availability,
    /** Days on which it was out of stock or gone. */
    out: availability.flatMap(({ availability: state, valid_from: from, valid_to: to }) =>
      state === 'available' ? [] : [{ from: dayOf(from), to: dayOf(to ?? '9999-12-31') }],
    ),
    /** Changes of the pack in the last year, newest first. */
    changes,
    /** Its narrowest category below those above it. */
    trail: await ask(
      upFrom(sql`
      select m.category_key from marts.product_category_now m
      where m.product_key = ${product.keyOf(region, id)} order by m.depth desc, m.category_key limit 1`),
    ),
    twin: await twinOf(shown),
  };
}

async function factsOf({ ask, parameters: { region, product: id } }: ProductPage) {
  const [row] = await ask({ caption: 'The product', columns: product.factColumns, sql: product.factsOf(region, id) });
  if (row) return row;
  throw new NothingFound(`No product of this region has the id ${id}: search for its name above.`);
}

/** Certified nights since the product was first seen, or since the night that the charts begin with. */
async function nightsOf(shown: ProductPage): Promise<readonly string[]> {
  const { region, since } = shown.parameters;
  const { first_seen_on: first } = await factsOf(shown);
  const nights = await shown.ask({
    caption: 'Certified nights of the charts',
    columns: fields('snapshot_date'),
    sql: sql`
      select snapshot_date from marts.snapshot
      where region = ${region} and ${isCertified} and snapshot_date >= ${first}
      order by snapshot_date`,
  });
  return nights.map(({ snapshot_date }) => snapshot_date).filter((night) => since === undefined || night >= since);
}

/** The same article in the other region. */
async function twinOf({ ask, parameters: { region, product } }: ProductPage) {
  const [here, there] = region === 'uk' ? [sql`uk`, sql`ie`] : [sql`ie`, sql`uk`];
  const [twin] = await ask({
    caption: 'Same article in the other region',
    columns: [
      ...fields('region', 'product_id', 'title', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure', 'currency'),
      ...fields('availability', 'match_label'),
    ],
    sql: sql`
      select
        n.region, n.product_id, n.title, n.sale_price as price, n.loyalty_price, n.sale_unit_price as unit_price,
        n.sale_unit_of_measure as unit_of_measure, n.currency, n.availability, match.match_label
      from marts.region_match match
      join marts.product_now n on n.product_key = match.${there}_product_key
      where match.${here}_product_id = ${product}
      order by match.tier, ${soldFirst(sql`n`)}`,
  });
  return twin;
}
