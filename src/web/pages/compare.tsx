import type { JSX } from 'preact';
import type { RegionCode } from '../../base/model/index.ts';
import { basket, soldFirst } from '../../questions/basket.ts';
import { basketSwaps } from '../../questions/basket-swaps.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { find } from '../../questions/find.ts';
import { sql } from '../../questions/sql.ts';
import { datesBetween } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { leastSpan } from '../charts/scale.ts';
import { compareHref, productHref } from '../kernel/addresses.ts';
import { examplesIn } from '../kernel/all-questions.tsx';
import { Ranges } from '../kernel/blocks.tsx';
import { perUnitNow, priceNow } from '../kernel/cells.tsx';
import { page } from '../kernel/page.ts';
import { Card, Change } from '../kernel/parts.tsx';
import { ProductList } from '../kernel/products.tsx';
import { dayAndMonth, money, percent, plural, regionName, rounded, text, unitName } from '../kernel/words.ts';
import { type ComparePage, chosenIn, ItemsCard, itemRows, itemsText, type Quantities } from './compare-items.tsx';

type Night = RowOf<typeof basket>;

const priced = (nights: readonly Night[], of: RegionCode) =>
  nights.filter(({ region, total }) => region === of && total !== null);

/** Whether members pay less than others. */
const haveMembers = (nights: readonly Night[]) => nights.some((one) => one.total !== one.loyalty_total);

/** Chart of the totals of one region; nights on which a product has no price stay empty. */
function TotalChart(props: { region: RegionCode; nights: readonly Night[] }): JSX.Element {
  const { region, nights } = props;
  const own = priced(nights, region);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return <p class="none">On no complete night do all products have a price.</p>;
  const line = (name: string, total: 'total' | 'loyalty_total', style: number) => ({
    ...{ name, style },
    values: new Map(own.map((night) => [night.snapshot_date, Number(night[total])])),
  });
  return (
    <PeriodChart
      id={`total-${region}`}
      title={`Total in ${regionName(region)}`}
      description="The total of each night; the table of the question has the numbers."
      periods={datesBetween(first.snapshot_date, last.snapshot_date)}
      span={leastSpan}
      series={[line('Shelf prices', 'total', 0), ...(haveMembers(own) ? [line('Members', 'loyalty_total', 1)] : [])]}
      format={(value, decimals) => money(value.toFixed(decimals ?? 2), first.currency)}
    />
  );
}

/** Totals of both regions on the nights of the range, oldest first. */
async function totalsOf(shown: ComparePage): Promise<readonly Night[]> {
  const { quantities } = await chosenIn(shown);
  if (quantities.size === 0) return [];
  const { since } = shown.options;
  const asked = await shown.of(basket, { items: itemsText(quantities), region: shown.parameters.region, since });
  return (await asked.rows({ limit: null })).rows.toReversed();
}

/** Which of several products is the cheapest or, of a basket, what it costs: a sentence without its stop. */
async function answer(shown: ComparePage): Promise<string> {
  const { quantities } = await chosenIn(shown);
  if (quantities.size === 0) return 'Compare products, and what they cost together';
  const all = await totalsOf(shown);
  const least = [...quantities.values()].every((count) => count === 1) && (await cheapest(shown, quantities));
  if (least) return least;
  const nights = priced(all, shown.parameters.region);
  const [first, last] = [nights[0], nights.at(-1)];
  if (!first || !last) return 'There is no night on which all of these products have a price';
  const pieces = [...quantities.values()].reduce((sum, count) => sum + count, 0);
  const some = last.missing > 0 ? `${last.products - last.missing} of ${last.products} products` : null;
  const counted = some ?? plural(pieces, pieces === quantities.size ? 'product' : 'piece');
  const what = pieces === 1 ? 'It costs' : `${counted} cost`;
  const cost = `${what} ${money(last.total, last.currency)} on ${dayAndMonth(last.snapshot_date)}`;
  if (nights.length === 1) return cost;
  const against = (total: 'total' | 'loyalty_total') => {
    const change = percent(100 * (Number(last[total]) / Number(first[total]) - 1));
    return `${change === '0.0%' ? 'as much as on' : `${change} since`} ${dayAndMonth(first.snapshot_date)}`;
  };
  const shelf = `${cost}, ${against('total')}`;
  if (!haveMembers([first, last])) return shelf;
  return `${shelf}; members pay ${money(last.loyalty_total, last.currency)}, ${against('loyalty_total')}`;
}

/** Which of several products for sale costs least per unit, without a card; null: their units differ. */
async function cheapest(shown: ComparePage, quantities: Quantities): Promise<string | null> {
  const { rows } = await itemRows(shown, quantities);
  const { unit } = rows[0]!.line;
  if (rows.length < 2 || unit === null || rows.some(({ line }) => line.unit !== unit)) return null;
  const sold = rows.filter(({ line }) => line.availability === 'available' && line.unit_price !== null);
  const [least] = sold.sort((one, other) => Number(one.line.unit_price) - Number(other.line.unit_price));
  const cost = least && rounded(Number(least.line.unit_price), least.currency);
  return least ? `${text(least.title)} costs least per ${unitName(unit)} without a card: ${cost}` : null;
}

/** The total now and before, and the same articles in the other region. */
async function Now(shown: ComparePage, quantities: Quantities, nights: readonly Night[]): Promise<JSX.Element> {
  const { region } = shown.parameters;
  const own = priced(nights, region);
  const [first, last] = [own[0], own.at(-1)];
  const other = region === 'uk' ? 'ie' : 'uk';
  const here = nights.findLast((night) => night.region === region);
  const there = last && nights.findLast((one) => one.region === other && one.snapshot_date <= last.snapshot_date);
  // Of the same night, because prices move between two.
  const both = nights.filter((night) => night.snapshot_date === there?.snapshot_date && night.shared_total !== null);
  const [mine, theirs] = [region, other].map((of) => both.find((night) => night.region === of));
  const twins = await twinsOf(shown, quantities);
  const { rows } = await itemRows(shown, quantities);
  const out = rows.flatMap(({ line, title }) => (line.availability === 'unavailable' ? text(title) : []));
  const outThere = twins.flatMap(({ twin_availability: is, title }) => (is === 'unavailable' ? text(title) : []));
  const [rate] = await shown.ask({
    caption: 'Exchange rate',
    columns: fields('rate', 'rate_date'),
    sql: sql`select rate, on_date as rate_date
      from marts.fx_rate where base = 'EUR' and quote = 'GBP' order by on_date desc limit 1`,
  });
  const inOwn =
    rate?.rate && theirs ? Number(theirs.shared_total) * Number(rate.rate) ** (region === 'uk' ? 1 : -1) : null;
  const missed = twins.filter(({ twin_id }) => twin_id === null);
  return (
    <Card title={regionName(region)} aside={last && `night of ${dayAndMonth(last.snapshot_date, 9)}`}>
      {here && <Missing on={here} isOf={here.total === null ? 'That night has no total' : 'The total leaves it out'} />}
      <OutOfStock of={out} />
      {rows.some(({ line }) => line.unit_loyalty !== null) && <p class="quiet">Totals leave out offers per kg.</p>}
      {first && last && (
        <>
          <p class="big">{money(last.total, last.currency)}</p>
          {(['total', ...(haveMembers([first, last]) ? ['loyalty_total' as const] : [])] as const).map((total, i) => (
            <p key={total}>
              {i === 1 && `Members ${money(last[total], last.currency)}, before `}
              {`${money(first[total], first.currency)} on ${dayAndMonth(first.snapshot_date)} `}
              <Change percent={100 * (Number(last[total]) / Number(first[total]) - 1)} />
            </p>
          ))}
        </>
      )}
      <h3>{regionName(other)}</h3>
      {last && there ? (
        <>
          <Missing on={there} isOf="Both totals below leave it out" />
          <OutOfStock of={outThere} />
          <p>
            {mine &&
              theirs &&
              `${plural(theirs.shared_products, 'product')} with a price in both regions: ` +
                `${money(theirs.shared_total, theirs.currency)}, ${money(mine.shared_total, mine.currency)} here. `}
            <a href={compareHref(other, itemsThere(twins, quantities))}>Compare there</a>
          </p>
          {inOwn !== null && mine && (
            <p>
              {`There at £${Number(rate!.rate)} per euro (${dayAndMonth(rate!.rate_date!)}), against here: `}
              <b>{rounded(inOwn, mine.currency)}</b> <Change percent={100 * (inOwn / Number(mine.shared_total) - 1)} />
            </p>
          )}
        </>
      ) : (
        <p class="quiet">None of these products is known there.</p>
      )}
      {missed.map(({ product_id, title, near_id, near_title }) => (
        <p key={product_id} class="quiet">
          {`${text(title)} has no sure match there${near_id === null ? '' : '; nearest: '}`}
          {near_id !== null && <a href={productHref(other, near_id)}>{text(near_title)}</a>}
        </p>
      ))}
      {missed.some(({ near_id }) => near_id !== null) && (
        <a class="more" href={compareHref(other, itemsThere(twins, quantities, true))}>
          Compare there with the nearest instead
        </a>
      )}
    </Card>
  );
}

/** Which products have no price on a night, and what follows for its totals. */
const Missing = ({ on: { missing_titles: titles, snapshot_date: date }, isOf }: { on: Night; isOf: string }) =>
  titles === null ? null : <p class="warn">{`Without a price on ${dayAndMonth(date)}: ${text(titles)}. ${isOf}.`}</p>;

/** What totals count although it is out of stock. */
const OutOfStock = ({ of: titles }: { of: readonly string[] }) =>
  titles.length > 0 && <p class="warn">{`Out of stock, counted at its last price: ${titles.join(', ')}.`}</p>;

/** Items of the other region: the same articles and, if wanted, the nearest of those that it lacks. */
const itemsThere = (twins: Awaited<ReturnType<typeof twinsOf>>, quantities: Quantities, isNearest = false) =>
  itemsText(
    twins.flatMap(({ product_id, twin_id, near_id }) => {
      const id = twin_id ?? (isNearest ? near_id : null);
      return id === null ? [] : [[id, quantities.get(product_id) ?? 1] as const];
    }),
  );

/** The same article in the other region or, where it has none, the nearest one of the same shelf. */
function twinsOf({ ask, parameters: { region } }: ComparePage, quantities: Quantities) {
  const [here, there] = region === 'uk' ? [sql`uk`, sql`ie`] : [sql`ie`, sql`uk`];
  return ask({
    caption: 'The same or the nearest products in the other region',
    columns: [...fields('product_id', 'title', 'twin_id', 'near_id', 'near_title'), { name: 'twin_availability' }],
    sql: sql`
      with item as materialized (
        select now.product_key, now.product_id, now.title, now.price, (
          select away.product_id
          from marts.region_match m
          join marts.product_now away on away.product_key = m.${there}_product_key
          where m.tier < 3 and m.${here}_product_key = now.product_key
          order by ${soldFirst(sql`away`)} limit 1) as twin_id
        from marts.product_now now
        where now.region = ${region} and now.product_id = any (${[...quantities.keys()]}::text[])
      )
      select item.product_id, item.title, item.twin_id, near.product_id as near_id, near.title as near_title,
        twin.availability as twin_availability
      from item
      left join marts.product_now twin on twin.region = '${there}' and twin.product_id = item.twin_id
      left join lateral (
        select n.product_id, n.title
        from (
          select there.category_key
          from marts.product_category_now own
          join marts.dim_category there on there.category_id = own.category_id and there.region <> own.region
          where own.product_key = item.product_key
          order by own.depth desc limit 1
        ) as shelf
        cross join lateral (
          select n.product_key, n.product_id, n.title, n.price
          from marts.product_category_now member
          join marts.product_now n on n.product_key = member.product_key and n.availability = 'available'
          where member.category_key = shelf.category_key and item.twin_id is null
          order by abs(n.price - item.price) limit 200
        ) as n
        -- The most words in common, of those with the nearest prices.
        order by cardinality(array(
            select unnest(string_to_array(lower(n.title), ' '))
            intersect select unnest(string_to_array(lower(item.title), ' ')))) desc,
          abs(n.price - item.price), n.product_key
        limit 1
      ) as near on true`,
  });
}

export const comparePage = page(find, {
  path: '/compare',
  nav: 'Compare',
  about: 'What products cost together each night, in both regions.',
  options: ['items', 'since'],
  isOf: [basket, basketSwaps],
  answers: ({ options, parameters: { region } }) =>
    options['items'] ? { question: basket, given: { items: options['items'], region } } : null,
  title: answer,
  lead: () => 'Search above, or tick products in any list. The address keeps the comparison: bookmark it.',
  async elsewhere(shown, region) {
    const { quantities } = await chosenIn(shown);
    return shown.hrefWith({ region, items: itemsThere(await twinsOf(shown, quantities), quantities) });
  },
  blocks: [
    async (shown) => {
      const { quantities, unknown } = await chosenIn(shown);
      const { region } = shown.parameters;
      const nights = await totalsOf(shown);
      const known = quantities.size === 0 ? await shown.ask(examplesIn(region)) : [];
      const examples = new Map(known.map(({ product_id: id }) => [id, 1]));
      const own = nights.filter((one) => one.region === region);
      const [first, last] = [own[0], own.at(-1)];
      const ranges = first && last && <Ranges of={shown} first={first.snapshot_date} last={last.snapshot_date} />;
      return (
        <>
          {unknown.length > 0 && <p class="note">Unknown here, so left out: {unknown.join(', ')}</p>}
          {quantities.size > 0 && (
            <div class="pair wide-left">
              <Card id="total" title="What it cost, night by night" aside={ranges}>
                <TotalChart region={region} nights={nights} />
              </Card>
              {await Now(shown, quantities, nights)}
            </div>
          )}
          {quantities.size > 0 && (await ItemsCard(shown, quantities))}
          {examples.size > 0 && (
            <Card
              title="For example: what both regions sell"
              aside={<a href={compareHref(region, itemsText(examples))}>Compare all of these</a>}
            >
              <ProductList
                of={await itemRows(shown, examples)}
                options={{ cells: [perUnitNow, priceNow] }}
                caption="Sold in both regions"
              />
            </Card>
          )}
        </>
      );
    },
  ],
});
