import type { JSX } from 'preact';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { basket as basketQuestion, Items, itemsOf, mostProducts } from '../../questions/basket.ts';
import { isCertified } from '../../questions/certified.ts';
import { RegionParameter, textUpTo } from '../../questions/parameters.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { columnsOf } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import { unitPriceRank } from '../../questions/unit-price-rank.ts';
import { Change } from '../change.tsx';
import { dateOf, dayOf } from '../charts/days.ts';
import { StepChart } from '../charts/step-chart.tsx';
import { axisOf, chartNights, segmentsOf } from '../charts/steps.ts';
import { AddProducts, chosenIn, FindParameter, foundQuery, ProductsParameter } from '../chosen-products.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query, type Table } from '../page.ts';
import { repeatable } from '../parameters.ts';
import { Card, type HrefWith, productHref } from '../parts.tsx';
import { lineNights, ProductTable } from '../product-table.tsx';
import { Ranges, SpanParameter, spans } from '../spans.tsx';
import { dayAndMonth, money, nothing, percent, plural, share, text } from '../words.ts';

/** Quantities that a row offers. */
const mostOffered = 12;

interface BasketNight {
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly products: number;
  readonly missing: number;
  /** Null: a product has no price on that night. */
  readonly total: string | null;
  readonly loyalty_total: string | null;
  readonly shared_products: number;
  readonly shared_total: string | null;
  readonly currency: string;
}

interface Item extends ProductLine {
  readonly quantity: number;
  /** Prices of one on the first and last night that have a total; null: there is no such night. */
  readonly first_price: string | null;
  readonly last_price: string | null;
  readonly moved_by: string | null;
  /** What the item adds to the change of the total, in percentage points. */
  readonly moved_points: string | null;
  /** The same article in the other region. */
  readonly other_product_id: string | null;
  readonly swap_product_id: string | null;
  readonly swap_title: string | null;
  readonly swap_price: string | null;
  /** How much less the swap costs per unit. */
  readonly swap_pct: string | null;
  readonly swap_unit_price: string | null;
  /** First night of the total, if the item had no price on the night before. */
  readonly begins_total_on: string | null;
}

interface Parameters {
  readonly items?: string | undefined;
  /** Items that only the other region has, kept for the way back. */
  readonly away?: string | undefined;
  readonly p?: string | undefined;
  readonly region: RegionCode;
}

interface Tables {
  readonly items: Table<Item>;
  readonly totals: Table<BasketNight>;
}

/** Price of one on the night of the total; without a total, the last known one. */
const priceOf = (row: Item) => row.last_price ?? row.price;

type Quantities = ReadonlyMap<string, number>;

/** Items of the address, and the ticked products of its region. */
function quantitiesOf({ items, p, region }: Parameters): Quantities {
  const quantities = new Map<string, number>();
  const add = (id: string, quantity: number) => quantities.set(id, Math.min(999, (quantities.get(id) ?? 0) + quantity));
  const { ids, quantities: given } = items === undefined ? { ids: [], quantities: [] } : itemsOf(items);
  for (const [i, id] of ids.entries()) add(id, given[i]!);
  for (const one of chosenIn(p)) {
    if (one.region === region && !quantities.has(one.id) && quantities.size < mostProducts) add(one.id, 1);
  }
  return quantities;
}

const itemText = (id: string, quantity: number) => (quantity === 1 ? id : `${id}:${quantity}`);
const itemsText = (items: Iterable<readonly [string, number]>) =>
  [...items].map(([id, count]) => itemText(id, count)).join(',');

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
  queries: (p) => {
    const quantities = quantitiesOf(p);
    const since = sql`(select max(snapshot_date) from marts.snapshot) - ${spans[p.span] - 1}::int`;
    const nights = sql`
          select basket.*
          from (${basketQuestion.sql({ items: itemsText(quantities), region: p.region, since }, { limit: null })}
          ) as basket
          join marts.snapshot using (region, snapshot_date)
          where ${isCertified}`;
    return {
      items: {
        caption: 'What is in it, and what moved it',
        sql: withLine(
          sql`
          with night as materialized (${nights}
          ), bound as materialized (
            select
              min(snapshot_date) as first_night, max(snapshot_date) as last_night,
              (array_agg(total order by snapshot_date))[1] as first_total,
              (select max(earlier.snapshot_date) from night earlier
               where earlier.region = ${p.region} and earlier.snapshot_date < min(night.snapshot_date)) as night_before
            from night where region = ${p.region} and total is not null
          )
          select
            now.product_key, asked.quantity, first.price as first_price, last.price as last_price,
            asked.quantity * (last.price - first.price) as moved_by,
            round(100 * asked.quantity * (last.price - first.price) / nullif(bound.first_total, 0), 2) as moved_points,
            (select case when ${p.region} = 'uk' then m.ie_product_id else m.uk_product_id end
             from marts.region_match m
             where now.product_key = case when ${p.region} = 'uk' then m.uk_product_key else m.ie_product_key end
             limit 1) as other_product_id,
            case when bound.night_before is not null and not exists (
              select from marts.fct_price_spell before
              where before.product_key = now.product_key and before.price is not null
                and before.valid_from <= bound.night_before
                and (before.valid_to is null or before.valid_to > bound.night_before)
            ) then bound.first_night end as begins_total_on,
            swap.*
          from unnest(${[...quantities.keys()]}::text[], ${[...quantities.values()]}::int[]) with ordinality
            as asked (id, quantity, place)
          join marts.product_now now on now.region = ${p.region} and now.product_id = asked.id
          cross join bound
          left join marts.fct_price_spell first
            on first.product_key = now.product_key and first.valid_from <= bound.first_night
            and (first.valid_to is null or first.valid_to > bound.first_night)
          left join marts.fct_price_spell last
            on last.product_key = now.product_key and last.valid_from <= bound.last_night
            and (last.valid_to is null or last.valid_to > bound.last_night)
          left join lateral (
            select ranked.product_id as swap_product_id, ranked.title as swap_title, ranked.price as swap_price,
              ranked.unit_price as swap_unit_price,
              round(100 * (ranked.unit_price / now.unit_price - 1), 1) as swap_pct
            from (${unitPriceRank.sql({ region: p.region, product: sql`asked.id` }, { limit: null })}
            ) as ranked
            where ranked.unit_of_measure = now.unit_of_measure and ranked.unit_price < now.unit_price
            order by ranked.unit_price, ranked.product_key
            limit 1
          ) as swap on true
          order by asked.place`,
          p.region,
        ),
        columns: [...lineColumns, { name: 'quantity', as: 'number' }, { name: 'moved_by', as: 'money' }],
        none: 'The basket is empty.',
      } as Query<Item>,
      totals: {
        caption: 'Total of each night',
        sql: sql`${nights}
          order by snapshot_date, region = ${p.region} desc`,
        columns: columnsOf(basketQuestion, ...basketQuestion.table({} as never)),
        none: 'No complete night has the products.',
      } as Query<BasketNight>,
      found: foundQuery(p.find, p.region),
      lines: lineNights(p.region),
    };
  },
  elsewhere(region, { parameters, tables, hrefWith }) {
    const { items, away } = inOtherRegion(parameters, tables.items.rows);
    return hrefWith({ region, items: itemsText(items) || null, away: itemsText(away) || null, p: null });
  },
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
            {`${plural(itemsOf(p.away).ids.length, 'product')} of the basket not known in ${regions[p.region].name}: ` +
              'left out here, and back when you switch the region.'}
          </p>
        )}
        {rows.length > 0 && (
          <div class="pair wide-left">
            <section class="card">
              <header>
                <h2>What it cost, night by night</h2>
                <Ranges chosen={p.span} hrefWith={canonical} />
              </header>
              <TotalChart region={p.region} nights={tables.totals.rows} />
              <Begins items={rows} />
              <DataTable of={tables.totals} isFolded />
            </section>
            <Now region={p.region} nights={tables.totals.rows} items={rows} />
          </div>
        )}
        <Card title="What is in it, and what moved it">
          <ProductTable<Item>
            of={tables.items}
            nights={tables.lines}
            form={{ action: '/basket', keep: kept, label: 'Change quantities', hasTicks: false }}
            sign={(row) => Number(row.moved_by)}
            below={(row) => <Below of={row} quantities={quantities} hrefWith={canonical} />}
            columns={[
              {
                heading: 'Moved it by',
                cell: (row) => <Moved of={row} />,
              },
              { heading: 'Each', isNamed: true, cell: (row) => money(priceOf(row), row.currency) },
              { heading: 'Quantity', cell: (row) => <Quantity of={row} /> },
              {
                heading: 'Total',
                isPrice: true,
                cell: (row) => {
                  const each = priceOf(row);
                  const total = each === null ? null : row.quantity * Number(each);
                  return <span class="price">{money(total, row.currency)}</span>;
                },
              },
              {
                heading: 'Remove',
                cell: (row) => {
                  const others = [...quantities].filter(([id]) => id !== row.product_id);
                  return (
                    <a
                      href={
                        others.length === 0 && !p.away
                          ? `/basket?items=&region=${p.region}`
                          : canonical({ items: itemsText(others) })
                      }
                      aria-label={`Remove ${text(row.title)}`}
                    >
                      Remove
                    </a>
                  );
                },
              },
            ]}
          />
        </Card>
        <AddProducts
          of={tables.found}
          nights={tables.lines}
          words={p.find}
          action="/basket"
          keep={{ items: itemsText(quantities) || undefined, ...kept }}
        />
        {rows.length > 0 && (
          <Card title="Its name">
            <form class="filters" action="/basket" autocomplete="off">
              <input type="hidden" name="items" value={itemsText(quantities)} />
              <input type="hidden" name="region" value={p.region} />
              <input type="hidden" name="span" value={p.span} />
              {p.away && <input type="hidden" name="away" value={p.away} />}
              <input name="name" value={p.name ?? ''} maxLength={80} aria-label="Name of the basket" />
              <button type="submit">Name it</button>
            </form>
          </Card>
        )}
      </>
    );
  },
});

/** The basket in the other region: the same articles, and those that were left out here; the rest is left out there. */
function inOtherRegion({ away }: Parameters, rows: readonly Item[]) {
  const former = away === undefined ? { ids: [], quantities: [] } : itemsOf(away);
  const items: (readonly [string, number])[] = former.ids.map((id, i) => [id, former.quantities[i]!]);
  const left: (readonly [string, number])[] = [];
  for (const { product_id, other_product_id, quantity } of rows) {
    if (other_product_id === null) left.push([product_id, quantity]);
    else items.push([other_product_id, quantity]);
  }
  return { items, away: left };
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
  const change = Number(last.total) - Number(first.total);
  if (nights.length === 1) return cost;
  const since = `on ${dayAndMonth(first.snapshot_date)}`;
  if (change === 0) return `${cost}, as much as ${since}`;
  const percent = share(100 * (Number(last.total) / Number(first.total) - 1));
  return `${cost}, ${percent} ${change > 0 ? 'more' : 'less'} than ${since}`;
}

/** Totals of one region; nights on which a product has no price stay empty. */
function TotalChart(props: { region: RegionCode; nights: readonly BasketNight[]; isShort?: boolean }): JSX.Element {
  const { region, nights, isShort = false } = props;
  const own = nights.filter((night) => night.region === region);
  const priced = pricedNights(own, region);
  const shown = chartNights(
    own.map(({ snapshot_date }) => snapshot_date),
    priced[0]?.snapshot_date,
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
  const members = own.some(({ total, loyalty_total }) => total !== loyalty_total);
  if (!members && new Set(shelf.map(({ value }) => value)).size === 1) {
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
      ]}
      isShort={isShort}
      format={(value, decimals) => money(decimals === undefined ? value : value.toFixed(decimals), currency)}
    />
  );
}

/** Why the total begins later than the range. */
function Begins({ items }: { items: readonly Item[] }): JSX.Element | null {
  const late = items.filter(({ begins_total_on: on }) => on !== null);
  if (late.length === 0) return null;
  const names = late.map(({ title }) => text(title)).join(', ');
  const first = dayAndMonth(late[0]!.begins_total_on!);
  return <p class="quiet">{`The total begins on ${first}: before, no price of ${names}.`}</p>;
}

/** The total now and before, and that of the items which the other region has, too. */
function Now(props: { region: RegionCode; nights: readonly BasketNight[]; items: readonly Item[] }): JSX.Element {
  const { region, nights, items } = props;
  const own = pricedNights(nights, region);
  const [first, last] = [own[0], own.at(-1)];
  const newest = nights.findLast((night) => night.region === region);
  const other = region === 'uk' ? 'ie' : 'uk';
  const there = pricedNights(nights, other).at(-1);
  const missing = newest?.missing ?? 0;
  const matched = items.flatMap(({ other_product_id: id, quantity }) => (id === null ? [] : [[id, quantity] as const]));
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
          {last.loyalty_total !== last.total && <p>{money(last.loyalty_total, last.currency)} for members</p>}
          <p>
            {`${money(first.total, first.currency)} on ${dayAndMonth(first.snapshot_date)} `}
            <Change percent={100 * (Number(last.total) / Number(first.total) - 1)} />
          </p>
        </>
      )}
      <h3>{regions[other].name}</h3>
      {there && last ? (
        <>
          <p>
            {`${money(there.total, there.currency)} for the ${plural(last.shared_products, 'product')} that both ` +
              `regions have; ${money(last.shared_total, last.currency)} here. `}
            <a href={`/basket?items=${itemsText(matched)}&region=${other}`}>That basket</a>
          </p>
          <TotalChart region={other} nights={nights} isShort />
        </>
      ) : (
        <p class="quiet">None of these products is known there.</p>
      )}
    </Card>
  );
}

/** `2 × 1.1 litre`: the content that a price buys, by its price per unit. */
function contentWords(count: number, content: number, measure: string): string {
  const size = content < 10 ? Number(content.toPrecision(2)) : Math.round(content);
  return `${count === 1 ? '' : `${count} × `}${size} ${measure}`;
}

/** Part of a pack that a swap may lack. */
const tolerance = 0.05;

/** The swap with its quantity for about the same content, and its effect on the total. */
function swapOf(row: Item) {
  const [content, swapContent] = [
    Number(row.price) / Number(row.unit_price),
    Number(row.swap_price) / Number(row.swap_unit_price),
  ];
  const count = Math.min(999, Math.max(1, Math.ceil((row.quantity * content) / swapContent - tolerance)));
  const effect = count * Number(row.swap_price) - row.quantity * Number(row.price);
  const measure = text(row.unit_of_measure ?? 'unit');
  const after = contentWords(count, swapContent, measure);
  const before = contentWords(row.quantity, content, measure);
  const contents = after === before ? after : `${after} instead of ${before}`;
  const size = money(Math.abs(effect).toFixed(2), row.currency);
  const total = Math.abs(effect) < 0.005 ? 'the same total' : `${size} ${effect < 0 ? 'less' : 'more'} in total`;
  return { count, words: `${contents}: ${total}` };
}

/** Brand, and the product of the same shelf that costs least per unit. */
function Below(props: { of: Item; quantities: Quantities; hrefWith: HrefWith }): JSX.Element {
  const { of: row, quantities, hrefWith } = props;
  const { swap_product_id: id } = row;
  if (id === null) return <>{row.brand !== null && <span>{text(row.brand)}</span>}</>;
  const { count, words } = swapOf(row);
  const swapped = [...quantities].map((one) => (one[0] === row.product_id ? ([id, count] as const) : one));
  return (
    <>
      {row.brand !== null && <span>{text(row.brand)}</span>}
      <span>
        {`${share(row.swap_pct)} less per ${text(row.unit_of_measure ?? 'unit')}: `}
        <a href={productHref(row.region, id)}>{text(row.swap_title)}</a>
        {`, ${money(row.swap_price, row.currency)}. ${words}. `}
        <a href={hrefWith({ items: itemsText(swapped) })} aria-label={`Swap ${text(row.title)} for it`}>
          Swap
        </a>
      </span>
    </>
  );
}

/** What the item added to the change of the total. */
function Moved({ of: row }: { of: Item }): JSX.Element {
  const by = Number(row.moved_by);
  if (row.moved_by === null) return <span class="quiet">{nothing}</span>;
  if (by === 0) return <span class="quiet">no change</span>;
  return (
    <>
      <span class={by > 0 ? 'change up' : 'change down'}>
        {by > 0 ? '+' : ''}
        {money(row.moved_by, row.currency)}
      </span>
      {row.moved_points !== null && <small>{percent(row.moved_points).replace('%', ' points')}</small>}
    </>
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
