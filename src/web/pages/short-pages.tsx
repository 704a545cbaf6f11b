import { asof } from '../../questions/asof.ts';
import { changes } from '../../questions/changes.ts';
import type { RowOf } from '../../questions/columns.ts';
import { nights } from '../../questions/nights.ts';
import { privateLabel } from '../../questions/private-label.ts';
import { promotionDepth } from '../../questions/promotion-depth.ts';
import { quarantine } from '../../questions/quarantine.ts';
import { requests } from '../../questions/requests.ts';
import { searches } from '../../questions/searches.ts';
import { sql } from '../../questions/sql.ts';
import { stores } from '../../questions/stores.ts';
import { unitPriceRank } from '../../questions/unit-price-rank.ts';
import { ruleNames, watch } from '../../questions/watch.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { searchOf } from '../kernel/addresses.ts';
import { filters } from '../kernel/blocks.tsx';
import { perUnitNow, priceChange, priceNow } from '../kernel/cells.tsx';
import { page } from '../kernel/page.ts';
import { Badge, Card, Chips } from '../kernel/parts.tsx';
import { availabilityWords, Badges, type Cell, products } from '../kernel/products.tsx';
import { table } from '../kernel/table.tsx';
import * as words from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';
import { costWords, isOfSimulator, requestsByDay } from './operations.tsx';

const { articled, longDate, money, number, plural, regionName, share, text } = words;

const asofPage = page(asof, {
  async title({ of, count, rows, parameters: { region, product, words } }) {
    const [first] = (await rows()).rows;
    if (!first) return 'There is no such product or night';
    const { snapshot_date: night, title, price, currency } = first;
    const when = `in ${articled(regionName(region))} on ${longDate(night)}`;
    if (product) return `${text(title)} ${when}: ${money(price, currency)}`;
    if (words) {
      const { all_rows: all, sold } = await count({ sold: sql`availability = 'available'` });
      return `${plural(all, 'product')} with “${text(words)}” ${when}: ${sold} for sale`;
    }
    // Known counts, because counting a whole night takes longer than the page.
    const { rows: known } = await (await of(nights, { region, since: night, until: night })).rows();
    const { products_listed: all, products_available: sold } = known.find(({ status }) => status === 'published')!;
    return `${plural(all ?? 0, 'product')} ${when}: ${number(sold)} for sale`;
  },
  blocks: [
    // The date of the night shown, which may be the last one before that asked for.
    async (page) =>
      filters()({ ...page, written: { ...page.written, date: (await page.rows()).rows[0]?.snapshot_date ?? '' } }),
    table({
      columns: ['title', 'department', 'price', 'loyalty_price', 'unit_price', 'availability', 'product_id'],
      cells: { availability: ({ availability }) => availabilityWords(availability) },
    }),
  ],
});

/** Changes that the heading counts at most. */
const maxCounted = 2_000;

const changesPage = page(changes, {
  async title({ ask, count, rows, parameters }) {
    const { region = 'uk', category, min_pct } = parameters;
    const [last] = (await rows()).rows;
    if (!last) return 'No price has changed that way';
    // All of them, up to a number, because counting those of years would take longer than the page.
    const counts = await count({ rises: sql`new_price > old_price` }, { limit: maxCounted });
    const by = min_pct === undefined ? '' : ` of ${min_pct}% or more`;
    const all = by + (await inCategory({ ask }, { region, category }));
    if (counts.all_rows > maxCounted) return `More than ${number(maxCounted)} price changes${all}`;
    const ways = `${counts.rises} up, ${counts.all_rows - counts.rises} down`;
    return `${plural(counts.all_rows, 'price change')}${all}: ${ways}; the last on ${longDate(last.snapshot_date)}`;
  },
  blocks: [
    filters(),
    (page) => {
      const region: Cell<RowOf<typeof changes>> = { heading: 'Region', show: (row) => regionName(row.region) };
      const night: typeof region = { heading: 'Night', show: (row) => words.shortDate(row.snapshot_date) };
      const where = page.parameters.region === undefined ? [region] : [];
      const sign = (row: RowOf<typeof changes>) => Number(row.new_price) - Number(row.old_price);
      return products<RowOf<typeof changes>, unknown>({ title: '', sign, cells: [...where, night, priceChange] })(page);
    },
  ],
});

const requestsPage = page(requests, {
  isLive: true,
  async title({ ask, countBy }) {
    const days = await countBy(sql`spent_on`, {
      ...{ requests: sql`sum(requests)::int`, lost: sql`sum(requests - ok)::int`, currency: sql`min(currency)` },
      cost: sql`case when count(cost) = count(*) then sum(cost) end`,
    });
    const day = days.toSorted((one, other) => one.value!.localeCompare(other.value!)).at(-1);
    if (!day) return 'No request has been sent';
    const cost = day.cost === null ? costWords(null, await isOfSimulator(ask)) : money(day.cost, day.currency);
    const lost = day.lost === 0 ? 'all answered' : `${number(day.lost)} without an answer`;
    return `${plural(day.requests, 'request')} on ${longDate(day.value!)}, ${lost}; ${cost}`;
  },
  blocks: [
    filters(),
    requestsByDay,
    table({
      onPhone: ['spent_on', 'endpoint', 'requests'],
      cells: {
        endpoint: ({ endpoint, region }) =>
          `${endpoint.replace(/^(uk|ie)-/, '').replaceAll('-', ' ')}${region ? `, ${regionName(region)}` : ''}`,
      },
    }),
  ],
});

const quarantinePage = page(quarantine, {
  async title({ countBy }) {
    const reasons = await countBy(sql`reason`, { elements: sql`sum(elements)::int` });
    const elements = reasons.reduce((sum, { elements: some }) => sum + some, 0);
    if (elements === 0) return 'Nothing is in quarantine';
    const why = reasons.length === 1 ? text(reasons[0]!.value) : `for ${plural(reasons.length, 'reason')}`;
    return `${plural(elements, 'element')} could not be read: ${why}`;
  },
  blocks: [filters(), table()],
});

/** A size in percent, as exact as the table below it. */
const exactly = (percent: string | null) => `${Math.abs(Number(percent)).toFixed(1)}%`;

const newestFirst = { ...promotionDepth, order: () => sql`path nulls first, week_starts_on desc` };

const promotionDepthPage = page(newestFirst, {
  async title({ ask, rows, parameters }) {
    const { rows: weeks } = await rows({ limit: null });
    const full = weeks.findIndex(({ nights }) => nights === 7);
    const [week, before] = weeks.slice(Math.max(full, 0));
    const where = await inCategory({ ask }, parameters);
    if (!week) return `No week of offers${where} is known`;
    const said = `${exactly(week.share_on_promotion_pct)} of products${where} were on offer`;
    const when = `${said} in the week of ${words.dayAndMonth(week.week_starts_on, 9)}`;
    const { promotions_checkable: checkable, real_reductions_pct: real } = week;
    const judged = checkable ? `; ${exactly(real)} of ${number(checkable)} that can be checked are real` : '';
    return `${when}${before ? `, ${exactly(before.share_on_promotion_pct)} in the week before` : ''}${judged}`;
  },
  blocks: [
    filters(),
    async ({ rows }) => {
      const all = (await rows({ limit: null })).rows.toReversed();
      // A week that has just begun is not drawn: its one night is no week.
      const weeks = all.slice(0, all.length > 1 && all.at(-1)!.nights! < 7 ? -1 : undefined);
      const [title, last] = ['Share of products on offer, by week', weeks.at(-1)];
      const shares = { 'On offer': 'share_on_promotion_pct', 'For members': 'share_with_loyalty_price_pct' } as const;
      const series = Object.entries(shares).map(([name, column]) => {
        return { name, values: new Map(weeks.map((week) => [week.week_starts_on, Number(week[column])])) };
      });
      return (
        last && (
          <Card title={title}>
            <PeriodChart
              {...{ id: 'weeks', isShort: true, title, series, description: 'The table below has the values.' }}
              periods={weeks.map(({ week_starts_on: since }) => since)}
              end={dateOf(dayOf(last.week_starts_on) + 7)}
              format={(value, decimals = 1) => `${value.toFixed(decimals)}%`}
            />
          </Card>
        )
      );
    },
    table(({ parameters: { region, category } }) => ({
      onPhone: ['week_starts_on', 'share_on_promotion_pct', 'real_reductions_pct'],
      cells: {
        week_starts_on({ week_starts_on: since }) {
          const span = { since, until: dateOf(dayOf(since) + 6), sort: 'newest' };
          return <a href={`/promotions${searchOf({ region, category, ...span })}`}>{longDate(since)}</a>;
        },
      },
    })),
  ],
});

const lastOf = (path: string | null) => text(path?.split(' > ').at(-1));
const widestFirst = { ...privateLabel, order: () => sql`unit_price_gap_pct nulls last, category_path` };

const privateLabelPage = page(widestFirst, {
  async title({ rows }) {
    const parts = (await rows({ limit: null })).rows.filter((row) => row.shelves_compared! > 0);
    const cheaper = parts.filter(({ unit_price_gap_pct: gap }) => Number(gap) < 0);
    const [widest] = cheaper;
    if (!widest) return `Private labels and brands${parts.length > 0 ? '' : ': too few shelves to compare'}`;
    const all = plural(parts.length, 'category', 'categories');
    const most = `by up to ${exactly(widest.unit_price_gap_pct)} (${lastOf(widest.category_path)})`;
    return `Private labels cost less per unit than brands in ${cheaper.length} of ${all} to compare, ${most}`;
  },
  blocks: [
    filters(),
    table(({ hrefWith, parameters: { region } }) => ({
      onPhone: ['category_path', 'private_label_share_pct', 'unit_price_gap_pct'],
      cells: {
        category_path: ({ category_path: category }) => <a href={hrefWith({ category })}>{lastOf(category)}</a>,
        private_label_products: ({ category_path: category, private_label_products: own }) => (
          <a href={`/find${searchOf({ region, category, label: 'own', availability: 'available' })}`}>{own}</a>
        ),
      },
    })),
  ],
});

const unitPriceRankPage = page(unitPriceRank, {
  async title({ rows: ask }) {
    const { rows } = await ask({ limit: null });
    const own = rows.find(({ is_asked }) => is_asked);
    if (own === undefined) return 'Rank by unit price';
    const less = 100 * (1 - Number(rows[0]!.unit_price) / Number(own.unit_price));
    const cheapest = less > 0 ? `: the cheapest costs ${share(less)} less` : '';
    const place = `number ${own.rank} of ${own.products} by price per ${words.unitName(own.unit_of_measure)}`;
    return `${text(own.title)} is ${place}${cheapest}`;
  },
  blocks: [
    filters(),
    products<RowOf<typeof unitPriceRank>, unknown>({
      title: '',
      below: (row) => (row.is_asked ? <Badge>asked for</Badge> : <Badges of={row.line} axis={null} />),
      cells: [
        { heading: 'Rank', isNamed: true, show: (row) => `${row.rank} of ${row.products}` },
        perUnitNow,
        priceNow,
      ],
    }),
  ],
});

const watchPage = page(watch, {
  async title({ countBy, rows, parameters: { products: watched } }) {
    const [last] = (await rows()).rows;
    if (!last) return 'Nothing of the kind has happened to these products';
    const all = plural(watched.split(',').length, 'product');
    const happened = `${(await countBy(sql`product_id`)).length} of ${all} had such a night`;
    return `${happened}; the last: ${text(last.title)}, ${ruleNames[last.rule!]} on ${longDate(last.snapshot_date)}`;
  },
  blocks: [filters(), table()],
});

const searchesPage = page(searches, {
  async title({ rows }) {
    const { rows: places } = await rows({ limit: null });
    const first = places.find(({ rank }) => rank === 1) ?? places[0];
    if (!first) return 'Ranks in the shop’s search';
    const moved = places.filter((row) => row.rank_before !== row.rank).length;
    const when = `for “${text(first.keyword)}” on ${longDate(first.snapshot_date)}`;
    const all = plural(places.length, 'product');
    return `${all} ${when}, ${moved || 'none'} at a new place; first: ${text(first.title)}`;
  },
  blocks: [
    ({ hrefWith, parameters }) => {
      const { keyword: chosen, keywords } = parameters as typeof parameters & { keywords: readonly string[] };
      const links = keywords.map((keyword) => [keyword, hrefWith({ keyword }), keyword === chosen] as const);
      return <Chips label="Words" said="Searched every night:" of={links} />;
    },
    filters(),
    products<RowOf<typeof searches>, unknown>({
      title: '',
      cells: [
        {
          heading: 'Place',
          isNamed: true,
          show: ({ rank, rank_before: before }) =>
            before === rank ? `#${rank}` : `#${rank} (${before === null ? 'new' : `was #${before}`})`,
        },
        perUnitNow,
        priceNow,
      ],
    }),
  ],
});

const storesPage = page(stores, {
  async title({ count, rows, written, parameters: { near, within: miles = 10, words: named } }) {
    const [nearest] = (await rows()).rows;
    const found = `${plural((await count()).all_rows, 'store')}${named ? ` with “${text(named)}”` : ''}`;
    if (!near || !nearest) return found;
    const name = [nearest.display_name, nearest.postal_code].filter((part) => part !== null).map(text);
    return `${found} within ${plural(miles, 'mile')} of ${text(written['near'])}; the nearest is ${name.join(', ')}`;
  },
  blocks: [
    filters(),
    table(({ hrefWith }) => ({
      columns: ['display_name', 'postal_code', 'miles', 'address1', 'city', 'country'],
      onPhone: ['display_name', 'postal_code', 'miles'],
      cells: {
        postal_code: ({ postal_code: code }) => (code === null ? words.nothing : text(code).replace(' ', '\u00a0')),
        display_name: ({ display_name: name, latitude: north, longitude: east }) =>
          north === null ? text(name) : <a href={hrefWith({ near: `${north},${east}`, words: null })}>{text(name)}</a>,
      },
    })),
  ],
});

/** Pages that are little more than a heading that answers, filters and rows. */
export const shortPages = [
  ...[asofPage, changesPage, requestsPage, quarantinePage, unitPriceRankPage, privateLabelPage, promotionDepthPage],
  ...[watchPage, searchesPage, storesPage],
];
