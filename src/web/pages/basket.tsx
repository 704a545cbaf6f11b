import { type ComponentChildren, Fragment, type JSX } from 'preact';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { Items, itemsOf } from '../../questions/basket.ts';
import { RegionParameter, textUpTo } from '../../questions/parameters.ts';
import { Change } from '../change.tsx';
import { dateOf, dayOf } from '../charts/days.ts';
import { StepChart } from '../charts/step-chart.tsx';
import { axisOf, chartNights, segmentsOf } from '../charts/steps.ts';
import { AddProducts, chosenIn, FindParameter, ProductsParameter, removeColumn } from '../chosen-products.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Table } from '../page.ts';
import { repeatable } from '../parameters.ts';
import { Card, type HrefWith, productHref } from '../parts.tsx';
import { ProductTable } from '../product-table.tsx';
import { daysKnown, Ranges, SpanParameter } from '../spans.tsx';
import { dayAndMonth, money, nothing, number, percent, plural, share, text } from '../words.ts';
import {
  type AwayItem,
  type BasketNight,
  basketQueries,
  type Item,
  itemsText,
  itemText,
  type Parameters,
  type Quantities,
  quantitiesOf,
} from './basket-queries.ts';
import { packSize } from './pack-words.ts';

/** Quantities that a row offers. */
const mostOffered = 12;

interface Tables {
  readonly items: Table<Item>;
  readonly totals: Table<BasketNight>;
}

/** Prices on the night of the total, of some of a product; without a total, the last known ones. */
function Paid({ of: row, times, isTotal = false }: { of: Item; times: number; isTotal?: boolean }): JSX.Element {
  const [each, members] = row.last_price === null ? [row.price, null] : [row.last_price, row.last_members_price];
  const amount = (price: string | null) => money(price === null ? null : times * Number(price), row.currency);
  return (
    <>
      {isTotal ? <span class="price">{amount(each)}</span> : amount(each)}
      {members !== null && <small>{amount(members)} members</small>}
    </>
  );
}

export const basket = definePage({
  path: '/basket',
  nav: 'Basket',
  about: 'What a basket costs each night, and which products moved its total.',
  parameters: {
    items: Items.optional().register(repeatable),
    away: Items.optional().meta({ description: 'Items that only the other region has' }),
    p: ProductsParameter,
    region: RegionParameter,
    name: textUpTo(80).meta({ description: 'Name of the basket' }),
    find: FindParameter,
    span: SpanParameter,
  },
  queries: basketQueries,
  elsewhere: (region, { parameters, tables, hrefWith }) =>
    elsewhereHref(region, parameters, tables.items.rows, hrefWith),
  title: (p, tables) => (p.name === undefined ? answer(p.region, tables) : text(p.name)),
  lead: (p, tables) => {
    if (tables.items.rows.length === 0) return 'Search for its products here, or tick them in any list.';
    const count = tables.items.rows.reduce((sum, { quantity }) => sum + quantity, 0);
    const counted = `${plural(tables.items.rows.length, 'product')}, ${plural(count, 'item')}.`;
    const about = p.name === undefined ? '' : `${answer(p.region, tables)}. `;
    return `${about}${counted} The address keeps the basket: bookmark it or send it.`;
  },
  view: ({ parameters: p, tables, hrefWith }) => {
    const quantities = quantitiesOf(p);
    const canonical: HrefWith = (changes) => hrefWith({ items: itemsText(quantities), p: null, ...changes });
    const kept = { region: p.region, name: p.name, span: p.span, away: p.away };
    const { rows } = tables.items;
    const unknown = [...quantities.keys()].filter((id) => !rows.some(({ product_id }) => product_id === id));
    return (
      <>
        {unknown.length > 0 && (
          <p class="note">{`There is no product of ${p.region} with the id ${unknown.join(', ')}: it is left out.`}</p>
        )}
        {p.away !== undefined && (
          <p class="notice">
            {`Not sold in ${regions[p.region].name}: ${namesOf(p.away, tables.away.rows)}. ` +
              'Left out here, and back when you switch the region.'}
          </p>
        )}
        <AddProducts
          of={tables.found}
          nights={tables.lines}
          words={p.find}
          action="/basket"
          isChosen={({ product_id }) => quantities.has(product_id)}
          keep={{ items: itemsText(quantities) || undefined, ...kept }}
          added={p.p === undefined ? undefined : chosenIn(p.p).length}
        />
        {rows.length > 0 && (
          <div class="pair wide-left">
            <section class="card">
              <header>
                <h2>What it cost, night by night</h2>
                <Ranges chosen={p.span} hrefWith={canonical} known={daysKnown(tables.lines.rows)} />
              </header>
              <TotalChart region={p.region} nights={tables.totals.rows} items={rows} />
              <Late
                items={rows}
                begins={pricedNights(tables.totals.rows, p.region)[0]?.snapshot_date}
                href={(others) => canonical({ items: itemsText(others) })}
                quantities={quantities}
              />
              <DataTable of={tables.totals} isFolded />
            </section>
            <Now
              p={p}
              nights={tables.totals.rows}
              items={rows}
              rate={tables.rate.rows[0]?.rate}
              swapHref={(row) => swapHref(row, quantities, canonical)}
              hrefElsewhere={(region) => elsewhereHref(region, p, rows, hrefWith)}
            >
              <h3>Its name</h3>
              <form class="filters" action="/basket" autocomplete="off">
                <input type="hidden" name="items" value={itemsText(quantities)} />
                <input type="hidden" name="region" value={p.region} />
                <input type="hidden" name="span" value={p.span} />
                {p.away && <input type="hidden" name="away" value={p.away} />}
                <input name="name" value={p.name ?? ''} maxLength={80} aria-label="Name of the basket" />
                <button type="submit">Name it</button>
              </form>
            </Now>
          </div>
        )}
        <Card title="What is in it, and what moved it">
          <ProductTable<Item>
            of={tables.items}
            nights={tables.lines}
            form={{ action: '/basket', keep: kept, label: 'Change quantities', hasTicks: false }}
            sign={(row) => Number(row.moved_by)}
            below={(row) => <Below of={row} swapHref={swapHref(row, quantities, canonical)} />}
            columns={[
              {
                heading: 'Moved it by',
                cell: (row) => <Moved of={row} />,
              },
              { heading: 'Each', isNamed: true, cell: (row) => <Paid of={row} times={1} /> },
              { heading: 'Quantity', cell: (row) => <Quantity of={row} /> },
              { heading: 'Total', isPrice: true, cell: (row) => <Paid of={row} times={row.quantity} isTotal /> },
              removeColumn((row) => {
                const others = [...quantities].filter(([id]) => id !== row.product_id);
                if (others.length === 0 && !p.away) return `/basket?items=&region=${p.region}`;
                return canonical({ items: itemsText(others) });
              }),
            ]}
          />
        </Card>
      </>
    );
  },
});

/** The basket in the other region: the same articles, and those that were left out here; the rest is left out there. */
function elsewhereHref(region: RegionCode, p: Parameters, rows: readonly Item[], hrefWith: HrefWith): string {
  const former = p.away === undefined ? { ids: [], quantities: [] } : itemsOf(p.away);
  const items: (readonly [string, number])[] = former.ids.map((id, i) => [id, former.quantities[i]!]);
  const away: (readonly [string, number])[] = [];
  for (const [id, quantity] of quantitiesOf(p)) {
    const other = rows.find(({ product_id }) => product_id === id)?.other_product_id ?? null;
    if (other === null) away.push([id, quantity]);
    else items.push([other, quantity]);
  }
  const changes = { items: itemsText(items) || null, away: itemsText(away) || null };
  return hrefWith({ region, ...changes, p: null, find: null });
}

/** Titles of items of the other region, or their ids if it has no such products. */
function namesOf(items: string, known: readonly AwayItem[]): string {
  const nameOf = (id: string) => text(known.find(({ product_id }) => product_id === id)?.title ?? id);
  return itemsOf(items).ids.map(nameOf).join(', ');
}

/** Nights of a region that have a total, oldest first. */
const pricedNights = (nights: readonly BasketNight[], of: RegionCode) =>
  nights.filter(({ region, total }) => region === of && total !== null);

/** What the basket costs, and its change over the span, as a sentence without its stop. */
function answer(region: RegionCode, { items, totals }: Tables): string {
  const nights = pricedNights(totals.rows, region);
  const [first, last] = [nights[0], nights.at(-1)];
  if (items.rows.length === 0) return 'What does your basket cost?';
  if (!first || !last) return 'There is no night on which all products of the basket have a price';
  const cost = `The basket costs ${money(last.total, last.currency)}`;
  if (nights.length === 1) return cost;
  const since = dayAndMonth(first.snapshot_date);
  const shelf = `${cost}, ${compared(first.total, last.total)} on ${since}`;
  if (first.loyalty_total === first.total && last.loyalty_total === last.total) return shelf;
  const members = `members pay ${money(last.loyalty_total, last.currency)}`;
  return `${shelf}; ${members}, ${compared(first.loyalty_total, last.loyalty_total)} then`;
}

/** `2% more than`. */
function compared(before: string | null, now: string | null): string {
  const change = Number(now) / Number(before) - 1;
  const size = share(100 * change);
  if (size === '0%') return change === 0 ? 'as much as' : 'about as much as';
  return `${size} ${change > 0 ? 'more' : 'less'} than`;
}

/** Totals of one region; nights on which a product has no price stay empty. */
function TotalChart(props: {
  region: RegionCode;
  nights: readonly BasketNight[];
  items?: readonly Item[];
  isShort?: boolean;
}): JSX.Element {
  const { region, nights, items = [], isShort = false } = props;
  const own = nights.filter((night) => night.region === region);
  const priced = pricedNights(own, region);
  const shown = chartNights(
    own.map(({ snapshot_date }) => snapshot_date),
    own.find(({ total, early_total }) => total !== null || early_total !== null)?.snapshot_date,
  );
  if (priced.length === 0 || shown === null)
    return <p class="none">On no complete night do all products have a price.</p>;
  const { currency } = own[0]!;
  const axis = axisOf(shown);
  const line = (value: (night: BasketNight) => string | null) =>
    segmentsOf(
      own.map((night) => {
        const amount = value(night);
        const to = dateOf(dayOf(night.snapshot_date) + 1);
        return { from: night.snapshot_date, to, value: amount === null ? null : Number(amount) };
      }),
      axis,
    );
  const shelf = line(({ total }) => total);
  const early = line(({ early_total }) => early_total);
  const members = own.some(({ total, loyalty_total }) => total !== loyalty_total);
  if (!members && early.length === 0 && new Set(shelf.map(({ value }) => value)).size === 1) {
    const same = money(shelf[0]!.value, currency);
    return <p class="lead">{`It cost ${same} on all of ${plural(priced.length, 'night')}.`}</p>;
  }
  return (
    <StepChart
      id={`total-${region}`}
      title={`Total in ${regions[region].name}`}
      description="The total of each night; the table has the numbers."
      axis={axis}
      series={[
        { name: 'Shelf prices', segments: shelf },
        ...(members ? [{ name: 'Members', segments: line(({ loyalty_total }) => loyalty_total) }] : []),
        ...(early.length === 0 ? [] : [{ name: `Without ${lateNames(items)}`, style: 2, segments: early }]),
      ]}
      isShort={isShort}
      format={(value, decimals) => money(decimals === undefined ? value : value.toFixed(decimals), currency)}
    />
  );
}

/** Names of the products without a price on the first night; many are counted. */
function lateNames(items: readonly Item[]): string {
  const late = items.filter(({ is_late }) => is_late);
  return late.length > 2 ? plural(late.length, 'late product') : late.map(({ title }) => text(title)).join(' and ');
}

/** Why the total begins later than the range, and a link to the basket without the products that came late. */
function Late(props: {
  items: readonly Item[];
  begins: string | undefined;
  quantities: Quantities;
  href(others: readonly (readonly [string, number])[]): string;
}): JSX.Element | null {
  const { items, begins, quantities, href } = props;
  const late = items.filter(({ is_late }) => is_late);
  if (late.length === 0 || begins === undefined) return null;
  const others = [...quantities].filter(([id]) => !late.some(({ product_id }) => product_id === id));
  const names = late.map(({ title }) => text(title)).join(', ');
  return (
    <p class="quiet">
      {`The basket is complete since ${dayAndMonth(begins)}: before, no price of ${names}. `}
      {others.length > 0 && <a href={href(others)}>{late.length === 1 ? 'Leave it out' : 'Leave them out'}</a>}
    </p>
  );
}

interface NowProps {
  readonly p: Parameters;
  readonly nights: readonly BasketNight[];
  readonly items: readonly Item[];
  /** Pounds for a euro. */
  readonly rate: string | undefined;
  swapHref(row: Item): string | null;
  hrefElsewhere(region: RegionCode): string;
  readonly children: ComponentChildren;
}

/** The total now and before, the cheapest swap, and the total of the items which the other region has, too. */
function Now({ p: { region }, nights, items, rate, swapHref, hrefElsewhere, children }: NowProps): JSX.Element {
  const own = pricedNights(nights, region);
  const [first, last] = [own[0], own.at(-1)];
  const newest = nights.findLast((night) => night.region === region);
  const other = region === 'uk' ? 'ie' : 'uk';
  const there = pricedNights(nights, other).at(-1);
  const missing = newest?.missing ?? 0;
  /** Total of a night of the other region in the currency of this one. */
  const inOwn = ({ total }: BasketNight) =>
    region === 'uk' ? Number(total) * Number(rate) : Number(total) / Number(rate);
  const lacking = items.filter(({ other_product_id }) => other_product_id === null);
  const [best] = items.filter((row) => swapHref(row) !== null).sort((a, b) => Number(b.saving) - Number(a.saving));
  return (
    <Card title="Now" aside={last && `night of ${dayAndMonth(last.snapshot_date, 9)}`}>
      {newest && missing > 0 && (
        <p class="warn">
          {`Without a price on the night of ${dayAndMonth(newest.snapshot_date, 9)}: ${plural(missing, 'product')}.`}
        </p>
      )}
      {first && last && (
        <>
          <p class="big">{money(last.total, last.currency)}</p>
          {(last.loyalty_total !== last.total || first.loyalty_total !== first.total) && (
            <p>
              {`${money(last.loyalty_total, last.currency)} for members `}
              <Change percent={100 * (Number(last.loyalty_total) / Number(first.loyalty_total) - 1)} />
            </p>
          )}
          <p>
            {`${money(first.total, first.currency)} on ${dayAndMonth(first.snapshot_date)} `}
            <Change percent={100 * (Number(last.total) / Number(first.total) - 1)} />
          </p>
        </>
      )}
      {best && (
        <p class="notice">
          <strong>Cheapest swap:</strong>
          {` ${text(best.swap_title)} instead of ${text(best.title)} saves ${money(best.saving, best.currency)}. `}
          <a href={swapHref(best)!}>Swap it</a>
        </p>
      )}
      <h3>{regions[other].name}</h3>
      {there && last ? (
        <>
          <p>
            {`${money(there.total, there.currency)} for the ${plural(last.shared_products, 'product')} that both ` +
              `regions have; ${money(last.shared_total, last.currency)} here. `}
            <a href={hrefElsewhere(other)}>That basket</a>
          </p>
          {rate !== undefined && (
            <p>
              {`At £${Number(rate)} for a euro: ${money(inOwn(there).toFixed(2), last.currency)} `}
              <Change percent={100 * (inOwn(there) / Number(last.shared_total) - 1)} />
            </p>
          )}
          {lacking.length > 0 && (
            <p class="quiet">
              {`Not sold there, but with something like ${lacking.length === 1 ? 'it' : 'them'}: `}
              {lacking.map((row, i) => (
                <Fragment key={row.product_id}>
                  {i > 0 && ', '}
                  <a href={similarHref(row, other)}>{text(row.title)}</a>
                </Fragment>
              ))}
            </p>
          )}
          <TotalChart region={other} nights={nights} isShort />
        </>
      ) : (
        <p class="quiet">None of these products is known there.</p>
      )}
      {children}
    </Card>
  );
}

/** Products of the other region like one that it lacks: those of its shelf or, without one, by its title. */
function similarHref({ title, other_shelf }: Item, region: RegionCode): string {
  const words = encodeURIComponent(title);
  return `/products?region=${region}&${other_shelf === null ? 'q' : `category=${other_shelf}&instead_of`}=${words}`;
}

/** `2 × 568 ml`, as printed on the packs. */
const contentWords = (count: number, size: string, measure: string) =>
  `${count === 1 ? '' : `${count} × `}${packSize(size, measure)}`;

/** A pack that shrank in the nights of the total. */
function Shrank({ of: { shrank_on, old_size, new_size, pack_unit } }: { of: Item }): JSX.Element | null {
  if (shrank_on === null) return null;
  const to = packSize(new_size!, pack_unit!);
  return <span>{`The pack shrank from ${number(old_size)} to ${to} on ${dayAndMonth(shrank_on)}`}</span>;
}

/** Basket with the cheapest product of the shelf instead; null: this one is. */
function swapHref(row: Item, quantities: Quantities, hrefWith: HrefWith): string | null {
  const { swap_product_id: id, swap_quantity: count } = row;
  if (id === null || count === null) return null;
  const swapped = [...quantities].map((one) => (one[0] === row.product_id ? ([id, count] as const) : one));
  return hrefWith({ items: itemsText(swapped) });
}

/** Brand, and the product of the same shelf that gives the content for least. */
function Below({ of: row, swapHref: href }: { of: Item; swapHref: string | null }): JSX.Element {
  const { swap_product_id: id, swap_quantity: count } = row;
  const known = (
    <>
      {row.brand !== null && <span>{text(row.brand)}</span>}
      <Shrank of={row} />
    </>
  );
  if (href === null || id === null || count === null) return known;
  const { size, swap_size, size_measure } = row;
  const isPrinted = size !== null && swap_size !== null && size_measure !== null;
  const after = isPrinted ? contentWords(count, swap_size, size_measure) : '';
  const isAsMuch = count * Number(swap_size) === row.quantity * Number(size);
  const before = isPrinted && !isAsMuch ? ` instead of ${contentWords(row.quantity, size, size_measure)}` : '';
  const held = after === '' ? '' : ` for ${after}${before}`;
  return (
    <>
      {known}
      <span>
        {`${money(row.saving, row.currency)} less${held}: ${count === 1 ? '' : `${count} × `}`}
        <a href={productHref(row.region, id)}>{text(row.swap_title)}</a>{' '}
        <a href={href} aria-label={`Swap ${text(row.title)} for it`}>
          Swap
        </a>
      </span>
    </>
  );
}

/** What the item added to the change of the total. */
function Moved({ of: row }: { of: Item }): JSX.Element {
  if (row.moved_by === null) return <span class="quiet">{nothing}</span>;
  const isSameForMembers = Number(row.members_moved_by) === Number(row.moved_by);
  return (
    <>
      <MovedBy by={row.moved_by} currency={row.currency} />
      {Number(row.moved_by) !== 0 && row.moved_points !== null && (
        <small>{percent(row.moved_points).replace('%', ' points')}</small>
      )}
      {!isSameForMembers && (
        <small>
          members <MovedBy by={row.members_moved_by} currency={row.currency} />
        </small>
      )}
    </>
  );
}

function MovedBy({ by, currency }: { by: string | null; currency: string }): JSX.Element {
  const size = Number(by);
  if (size === 0) return <span class="quiet">no change</span>;
  return (
    <span class={size > 0 ? 'change up' : 'change down'}>
      {size > 0 ? '+' : ''}
      {money(by, currency)}
    </span>
  );
}

/** Choice whose value is an item of the address; the empty one removes it. */
function Quantity({ of: row }: { of: Item }): JSX.Element {
  const offered = Array.from({ length: mostOffered }, (_, i) => i + 1);
  const counts = offered.includes(row.quantity) ? offered : [...offered, row.quantity];
  return (
    <select name="items" aria-label={`Quantity of ${text(row.title)}`}>
      <option value="">0</option>
      {counts.map((count) => (
        <option key={count} value={itemText(row.product_id, count)} selected={count === row.quantity}>
          {count}
        </option>
      ))}
    </select>
  );
}
