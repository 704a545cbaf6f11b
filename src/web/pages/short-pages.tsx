import { asof } from '../../questions/asof.ts';
import { changes } from '../../questions/changes.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
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
import { searchOf } from '../kernel/addresses.ts';
import { filters } from '../kernel/blocks.tsx';
import { perUnitNow, priceChange, priceNow } from '../kernel/cells.tsx';
import { sumOf } from '../kernel/counts.tsx';
import { page } from '../kernel/page.ts';
import { Badge, Chips } from '../kernel/parts.tsx';
import { availabilityWords, Badges, products } from '../kernel/products.tsx';
import { table } from '../kernel/table.tsx';
import * as words from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';
import { costWords, isOfSimulator, requestsByDay } from './operations.tsx';

const { articled, capital, longDate, money, nothing, number, plural, regionName, share, text } = words;

const asofPage = page(asof, {
  async title({ of, parameters: { region, date: until } }) {
    const { rows } = await (await of(nights, { region, until })).rows({ limit: 10 });
    const night = rows.find(({ status }) => status === 'published');
    if (!night) return 'There is no such night yet';
    const listed = `${plural(night.products_listed ?? 0, 'product')} in ${articled(regionName(region))}`;
    return `${listed} on ${longDate(night.snapshot_date)}: ${number(night.products_available)} for sale`;
  },
  blocks: [
    filters(),
    table({
      columns: ['title', 'department', 'price', 'loyalty_price', 'unit_price', 'availability', 'product_id'],
      onPhone: ['title', 'price', 'loyalty_price'],
      cells: { availability: ({ availability }) => availabilityWords(availability) },
    }),
  ],
});

const changesPage = page(changes, {
  async title({ ask, count, lined, parameters }) {
    const { region = 'uk', category, min_pct } = parameters;
    const night = (await lined('shelf')).rows[0]?.snapshot_date;
    if (night === undefined) return 'No price has changed that way';
    // Only the newest of the nights, because counting all of them would take longer than the page.
    const counts = await count({ rises: sql`new_price > old_price` }, { given: { since: night, until: night } });
    const by = min_pct === undefined ? '' : ` by ${min_pct}% or more`;
    const changed = `${plural(counts.all_rows, 'price')}${await inCategory({ ask }, { region, category })} changed`;
    return `${changed}${by} on ${longDate(night)}: ${counts.rises} up, ${counts.all_rows - counts.rises} down`;
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
  blocks: [
    filters(),
    requestsByDay,
    table({
      title: 'By day, region and kind',
      columns: [
        ...(['spent_on', 'region', 'endpoint', 'requests', 'cost', 'ok', 'failed', 'refused'] as const),
        ...(['rate_limited', 'over_quota', 'denied', 'listing'] as const),
      ],
      onPhone: ['spent_on', 'region', 'endpoint', 'requests'],
      cells: { endpoint: ({ endpoint }) => endpoint.replace(/^(uk|ie)-/, '').replaceAll('-', ' ') },
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
  blocks: [filters(), table({ onPhone: ['path', 'reason', 'elements'] })],
});

const newestFirst = { ...promotionDepth, order: () => sql`path nulls first, week_starts_on desc` };

const promotionDepthPage = page(newestFirst, {
  async title({ ask, rows, parameters }) {
    const { rows: weeks } = await rows({ limit: null });
    const full = weeks.findIndex(({ nights }) => nights === 7);
    const [week, before] = weeks.slice(Math.max(full, 0));
    const where = await inCategory({ ask }, parameters);
    if (!week) return `No week of offers${where} is known`;
    const said = `${share(week.share_on_promotion_pct)} of products${where} were on offer`;
    const when = `${said} in the week of ${words.dayAndMonth(week.week_starts_on, 9)}`;
    if (!before) return when;
    const more = Number(week.share_on_promotion_pct) - Number(before.share_on_promotion_pct);
    return `${when}, ${Math.abs(more).toFixed(1)} points ${more < 0 ? 'less' : 'more'} than the week before`;
  },
  blocks: [
    filters(),
    table(({ parameters: { region, category } }) => ({
      bar: 'share_on_promotion_pct',
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
    const parts = (await rows({ limit: null })).rows.filter(({ unit_price_gap_pct: gap }) => gap !== null);
    const cheaper = parts.filter(({ unit_price_gap_pct: gap }) => Number(gap) < 0);
    const [widest] = cheaper;
    if (!widest) return 'Private labels and brands';
    const all = plural(parts.length, 'category', 'categories');
    const most = `by up to ${share(widest.unit_price_gap_pct)} (${lastOf(widest.category_path)})`;
    return `Private labels cost less per unit than brands in ${cheaper.length} of ${all}, ${most}`;
  },
  blocks: [
    filters(),
    table(({ hrefWith, parameters: { region } }) => ({
      bar: 'unit_price_gap_pct',
      onPhone: ['category_path', 'unit_price_gap_pct'],
      cells: {
        category_path: ({ category_path: category }) => <a href={hrefWith({ category })}>{lastOf(category)}</a>,
        private_label_products: ({ category_path: category, private_label_products: own }) => (
          <a href={`/find${searchOf({ region, category, label: 'own' })}`}>{own}</a>
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
    const counts = (await countBy(sql`rule`)).map(({ value, all_rows: all }) => `${ruleNames[value!]}: ${all}`);
    if (!last) return 'Nothing has happened to these products yet';
    return `${capital(counts.join(', '))}; last on ${longDate(last.snapshot_date)}`;
  },
  blocks: [filters(), table({ onPhone: ['snapshot_date', 'title', 'rule'] })],
});

const searchesPage = page(searches, {
  async title({ rows }) {
    const { rows: places } = await rows({ limit: null });
    const [first] = places;
    if (!first) return 'Ranks in the shop’s search';
    const added = places.filter((row) => row.rank_before === null).length;
    const moved = places.filter((row) => row.rank_before !== row.rank).length - added;
    const change = `${moved} of ${plural(places.length, 'product')} moved, ${added} are new`;
    const found = moved + added === 0 ? 'no product moved' : change;
    return `Search for “${text(first.keyword)}”: ${found}; ${text(first.title)} is first`;
  },
  blocks: [
    async ({ ask, hrefWith, parameters: { keyword: chosen } }) => {
      const known = await ask({
        caption: 'The words that are searched',
        columns: fields('keyword'),
        sql: sql`select distinct keyword from marts.fct_search_rank where region = 'uk' order by keyword limit 20`,
      });
      const now = chosen ?? known[0]?.keyword;
      const links = known.map(({ keyword }) => [keyword, hrefWith({ keyword }), keyword === now] as const);
      return <Chips label="Words" of={links} />;
    },
    filters(),
    table({
      columns: ['rank', 'title', 'brand', 'price', 'unit_price', 'is_for_sale', 'sponsored'],
      onPhone: ['rank', 'title', 'price'],
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

const storesPage = page(stores, {
  async title({ countBy, rows, parameters: { near, within: miles = 10, words: named } }) {
    const towns = await countBy(sql`city`);
    const found = `${plural(sumOf(towns), 'store')}${named ? ` with “${text(named)}”` : ''}`;
    const place = near ? ` within ${plural(miles, 'mile')} of ${near.latitude}, ${near.longitude}` : '';
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
      onPhone: ['display_name', 'miles', 'address1', 'city'],
      cells: {
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
