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
import { TwoWayBar } from '../charts/spark.tsx';
import { searchOf } from '../kernel/addresses.ts';
import { filters } from '../kernel/blocks.tsx';
import { perUnitNow, priceChange, priceNow } from '../kernel/cells.tsx';
import { sumOf } from '../kernel/counts.tsx';
import { page } from '../kernel/page.ts';
import { Badge, Card, Chips } from '../kernel/parts.tsx';
import { availabilityWords, Badges, products } from '../kernel/products.tsx';
import { table } from '../kernel/table.tsx';
import * as words from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';
import { costWords, isOfSimulator, requestsByDay } from './operations.tsx';

const { articled, longDate, money, nothing, number, plural, regionName, share, text } = words;

const asofPage = page(asof, {
  async title({ of, parameters: { region, date: until, words } }) {
    const { rows } = await (await of(nights, { region, until })).rows({ limit: 10 });
    const night = rows.find(({ status }) => status === 'published');
    if (!night) return 'There is no such night';
    const when = `in ${articled(regionName(region))} on ${longDate(night.snapshot_date)}`;
    if (words !== undefined) return `Products with “${text(words)}” ${when}`;
    return `${plural(night.products_listed ?? 0, 'product')} ${when}: ${number(night.products_available)} for sale`;
  },
  blocks: [
    filters(),
    table({
      columns: ['title', 'department', 'price', 'loyalty_price', 'unit_price', 'availability', 'product_id'],
      cells: { availability: ({ availability }) => availabilityWords(availability) },
    }),
  ],
});

const changesPage = page(changes, {
  async title({ ask, count, rows, parameters }) {
    const { region = 'uk', category, min_pct } = parameters;
    const [last] = (await rows({ limit: 1 })).rows;
    if (!last) return 'No price has changed that way';
    // Only the last night, because counting all of them would take longer than the page.
    const { snapshot_date: since } = last;
    const counts = await count({ rises: sql`new_price > old_price` }, { given: { since } });
    const by = min_pct === undefined ? '' : ` by ${min_pct}% or more`;
    const changed = `${plural(counts.all_rows, 'price')}${await inCategory({ ask }, { region, category })} changed`;
    return `${changed}${by} on ${longDate(since)}: ${counts.rises} up, ${counts.all_rows - counts.rises} down`;
  },
  blocks: [
    filters(),
    products<RowOf<typeof changes>, unknown>({
      title: '',
      cells: [{ heading: 'Night', show: (row) => words.shortDate(row.snapshot_date) }, priceChange],
    }),
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
  blocks: [filters(), requestsByDay, table({ title: 'By day, listing and endpoint' })],
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

const newestFirst = { ...promotionDepth, order: () => sql`path nulls first, week_starts_on desc` };

const promotionDepthPage = page(newestFirst, {
  async title({ ask, rows, parameters }) {
    const { rows: weeks } = await rows({ limit: null });
    const full = weeks.findIndex(({ nights }) => nights === 7);
    const [week, before] = weeks.slice(Math.max(full, 0));
    const where = await inCategory({ ask }, parameters);
    if (!week) return `No week of offers${where} is known`;
    // As exact as the table below.
    const sizeOf = ({ share_on_promotion_pct: size }: typeof week) => `${Number(size).toFixed(1)}%`;
    const said = `${sizeOf(week)} of products${where} were on offer`;
    const when = `${said} in the week of ${words.dayAndMonth(week.week_starts_on, 9)}`;
    return before ? `${when}, ${sizeOf(before)} in the week before` : when;
  },
  blocks: [
    filters(),
    async ({ rows }) => {
      const weeks = (await rows({ limit: null })).rows.toReversed();
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

/** Shelves that a category needs before its gap counts: one shelf may have only a handful of products. */
const leastShelves = 3;
const hasShelves = ({ shelves_compared: shelves }: RowOf<typeof privateLabel>) => shelves! >= leastShelves;
const widestFirst = { ...privateLabel, order: () => sql`unit_price_gap_pct nulls last, category_path` };

const privateLabelPage = page(widestFirst, {
  async title({ rows }) {
    const parts = (await rows({ limit: null })).rows.filter(hasShelves);
    const cheaper = parts.filter(({ unit_price_gap_pct: gap }) => Number(gap) < 0);
    const [widest] = cheaper;
    if (!widest) return `Private labels and brands${parts.length > 0 ? '' : ': too few shelves to compare'}`;
    const all = plural(parts.length, 'category', 'categories');
    const most = `by up to ${share(widest.unit_price_gap_pct)} (${lastOf(widest.category_path)})`;
    return `Private labels cost less per unit than brands in ${cheaper.length} of ${all}, ${most}`;
  },
  blocks: [
    filters(),
    table(({ hrefWith, parameters: { region } }) => ({
      cells: {
        unit_price_gap_pct: (row) =>
          row.unit_price_gap_pct !== null && (
            <>
              <TwoWayBar
                share={Math.max(-1, Math.min(1, Number(row.unit_price_gap_pct) / 50))}
                isClear={hasShelves(row)}
              />
              <span class="figure">{words.percent(row.unit_price_gap_pct)}</span>
            </>
          ),
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
    const first = rows.find((row) => row.unit_of_measure === own.unit_of_measure)!;
    const less = 100 * (1 - Number(first.unit_price) / Number(own.unit_price));
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
  async title({ countBy, rows }) {
    const [last] = (await rows({ limit: 1 })).rows;
    const counts = (await countBy(sql`rule`)).map(({ value, all_rows: all }) => `${ruleNames[value!]} (${all})`);
    if (!last) return 'Nothing has happened to these products yet';
    return `What happened: ${counts.join(', ')}; last on ${longDate(last.snapshot_date)}`;
  },
  blocks: [filters(), table()],
});

const searchesPage = page(searches, {
  async title({ rows }) {
    const { rows: places } = await rows({ limit: null });
    const first = places.find(({ rank }) => rank === 1) ?? places[0];
    if (!first) return 'Ranks in the shop’s search';
    const added = places.filter((row) => row.rank_before === null).length;
    const moved = places.filter((row) => row.rank_before !== row.rank).length - added;
    const change = `${moved} of ${plural(places.length, 'product')} moved, ${added} are new`;
    const found = moved + added === 0 ? 'no product moved' : change;
    return `Search “${text(first.keyword)}”, ${longDate(first.snapshot_date)}: ${found}; first: ${text(first.title)}`;
  },
  blocks: [
    ({ hrefWith, parameters }) => {
      const { keyword: chosen, keywords } = parameters as typeof parameters & { keywords: readonly string[] };
      const links = keywords.map((keyword) => [keyword, hrefWith({ keyword }), keyword === chosen] as const);
      return <Chips label="Words" of={links} />;
    },
    table({
      columns: ['rank', 'title', 'brand', 'price', 'unit_price', 'is_for_sale', 'sponsored'],
      cells: {
        rank: ({ rank, rank_before: before }) =>
          before === rank ? `#${rank}` : `#${rank} (${before === null ? 'new' : `was #${before}`})`,
      },
    }),
  ],
});

/** Days in a row with the same hours: `Mon 08:00AM-10:00PM; Tue 08:00AM-10:00PM`. */
const sameDays = /(\w{3}) ([^;]+)(?:; \w{3} \2)*; (\w{3}) \2(?=;|$)/g;
/** Zeros of hours: `08:00AM` is 8AM. */
const zeros = /\b0(?=\d:)|:00(?=[AP]M)/g;

const map = 'https://www.openstreetmap.org/';
const linked = (name: string | null, href: string | false) => (href ? <a href={href}>{text(name)}</a> : text(name));

const storesPage = page(stores, {
  async title({ countBy, rows, parameters: { near, within: miles = 10, words: named } }) {
    const towns = await countBy(sql`city`);
    const found = `${plural(sumOf(towns), 'store')}${named ? ` with “${text(named)}”` : ''}`;
    const place = near ? ` within ${plural(miles, 'mile')}` : '';
    if (towns.length === 0) return found + place;
    const spread = towns.length === 1 ? '' : `${plural(towns.length, 'town')}, most in `;
    if (!near) return `${found} in ${spread}${text(towns[0]!.value)}`;
    const [nearest] = (await rows({ limit: 1 })).rows;
    return `${found}${place}; the nearest is ${text(nearest?.display_name)}`;
  },
  blocks: [
    async ({ countBy, hrefWith }) => {
      const towns = (await countBy(sql`city`)).slice(0, 12);
      const links = towns.map(({ value, all_rows }) => [`${value} ${all_rows}`, hrefWith({ words: value })] as const);
      return links.length > 1 && <Chips label="Towns" said="Most stores:" of={links} />;
    },
    filters(),
    table(({ hrefWith }) => ({
      columns: ['display_name', 'miles', 'city', 'address1', 'postal_code', 'country', 'store_type', 'curbside_hours'],
      cells: {
        display_name: ({ display_name: name, latitude: north, longitude: east }) =>
          linked(name, north !== null && hrefWith({ near: `${north},${east}`, words: null })),
        address1: ({ address1, latitude: north, longitude: east }) =>
          linked(address1, north !== null && `${map}?mlat=${north}&mlon=${east}#map=17/${north}/${east}`),
        city: ({ city }) => <a href={hrefWith({ words: city })}>{text(city)}</a>,
        curbside_hours: ({ is_curbside_enabled: isOffered, curbside_hours: hours }) =>
          isOffered && hours !== null ? text(hours).replace(sameDays, '$1–$3 $2').replace(zeros, '') : nothing,
      },
    })),
  ],
});

/** Pages that are little more than a heading that answers, filters and rows. */
export const shortPages = [
  ...[asofPage, changesPage, requestsPage, quarantinePage, unitPriceRankPage, privateLabelPage, promotionDepthPage],
  ...[watchPage, searchesPage, storesPage],
];
