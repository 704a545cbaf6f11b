import type { JSX } from 'preact';
import { nightsIn } from '../../base/model/index.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { find, isNarrow, orderOf, orders } from '../../questions/find.ts';
import { movers } from '../../questions/movers.ts';
import { namesLike, synonymsOf } from '../../questions/named.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { searchOf } from '../kernel/addresses.ts';
import { beside, filters, of, when } from '../kernel/blocks.tsx';
import { changeIn30, perUnitNow, priceNow } from '../kernel/cells.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Card, Change, Chips, listCard } from '../kernel/parts.tsx';
import { type Cell, ProductList } from '../kernel/products.tsx';
import { capital, number, plural, text, unitName, unsnaked } from '../kernel/words.ts';
import { CategoryLinks, categoriesAbove, inCategory } from './category-links.tsx';
import { largestMoves } from './movers.tsx';

type Found = RowOf<typeof find>;
type Parameters = ParametersOf<typeof find>;
type FindPage = Shown<Found, Parameters>;

/** Products that counts read at most: more would take longer than the page. */
const maxCounted = 2_000;
const brandsShown = 10;

/** Number of products that match; more than are counted is one more than the most. */
const totalOf = async ({ count }: FindPage): Promise<number> => (await count({}, { limit: maxCounted })).all_rows;

/** The chosen category below those above it. */
const trailOf = async ({ ask, parameters: { region, category } }: FindPage) =>
  category === undefined ? [] : ask(categoriesAbove(region, category));

/** The most frequent filters, each one click. */
async function quickFilters(shown: FindPage): Promise<JSX.Element | null> {
  const { parameters: p, hrefWith } = shown;
  const units = p.unit !== undefined || orderOf(p).endsWith('unit') ? (['kg', 'litre', 'each'] as const) : [];
  const chips = [
    ['On offer', 'offer', 'promotion'],
    ['Members’ price', 'offer', 'loyalty'],
    [`Dearer in ${nightsIn.month} nights`, 'moved', 'dearer'],
    [`Cheaper in ${nightsIn.month} nights`, 'moved', 'cheaper'],
    ['Out of stock', 'availability', 'unavailable'],
    ['Own labels', 'label', 'own'],
    ['Brands', 'label', 'brand'],
    ...units.map((one) => [`Per ${unitName(one)}`, 'unit', one] as const),
  ] as const;
  const isPlain = chips.every(([, parameter, value]) => p[parameter] !== value);
  const isNone = (await totalOf(shown)) === 0;
  const links = chips.flatMap(([name, parameter, value]) => {
    const isChosen = p[parameter] === value;
    if (isNone && !isChosen) return [];
    return [[name, hrefWith({ [parameter]: isChosen ? null : value }), isChosen] as const];
  });
  const category = (await trailOf(shown)).at(-1)?.name ?? 'Category';
  const others = removable.flatMap((name) => {
    if (p[name] === undefined) return [];
    const words = name === 'category' ? category : `${capital(unsnaked(name))} ${p[name]}`;
    return [[removed(text(words)), hrefWith({ [name]: null })] as const];
  });
  if (isNone && isPlain && others.length === 0) return null;
  const all = ['All', hrefWith(Object.fromEntries(chips.map(([, name]) => [name, null]))), isPlain] as const;
  return <Chips label="Quick filters" of={[all, ...links, ...others]} />;
}

/** Filters that no chip sets. */
const removable = ['category', 'brand', 'price_from', 'price_to'] as const;

const removed = (name: string) => (
  <>
    {name} <span aria-hidden="true">×</span>
    <span class="hidden">: remove</span>
  </>
);

/** Categories, brands and prices with counts; they fold on a phone. */
async function facets(shown: FindPage): Promise<JSX.Element | null> {
  const { parameters: p, hrefWith } = shown;
  const total = await totalOf(shown);
  if (total === 0) return null;
  const trail = await trailOf(shown);
  const chosen = trail.at(-1)?.category_id ?? null;
  const isCounted = total <= maxCounted;
  const brands = !isCounted
    ? []
    : (await shown.countBy(sql`brand_key`, { name: sql`mode() within group (order by brand)` as Sql }))
        .filter(({ value }) => value !== null)
        .slice(0, brandsShown);
  const below = await shown.ask(categoriesBelow(p.region, chosen));
  // A product in several of them counts in each.
  const members = isCounted
    ? await shown.countBy(sql`unnest(array(
        select category_id from marts.product_category_now m
        where m.product_key = asked.product_key and m.depth = ${trail.length}::int))`)
    : [];
  const isShared = members.reduce((sum, { all_rows }) => sum + all_rows, 0) > total;
  const countOf = (id: string | null) => members.find(({ value }) => value === id)?.all_rows;
  return (
    <details class="facets">
      <summary>Category, brand and price</summary>
      <Facet
        name="Category"
        of={[
          ...(trail.length > 0 ? [{ category_id: null, name: 'All departments' }] : []),
          ...trail,
          ...below.filter(({ category_id: id }) => !isCounted || countOf(id) !== undefined),
        ].map(({ category_id: id, name }) => [
          name,
          hrefWith({ category: id }),
          id !== null && id === chosen,
          countOf(id),
        ])}
      />
      {isShared && <small>Some are in several.</small>}
      {chosen !== null && <CategoryLinks region={p.region} category={chosen} but="/find" />}
      <Facet
        name="Brand"
        of={brands.map(({ value, name, all_rows }) => {
          const isChosen = p.brand === value;
          return [String(name), hrefWith({ brand: isChosen ? null : value }), isChosen, all_rows];
        })}
      />
      <div class="facet">{await filters('price_from', 'price_to', 'unit')(shown)}</div>
    </details>
  );
}

/** Departments, or the categories below one. */
const categoriesBelow = (region: string, category: string | null) => ({
  caption: 'Categories below the chosen one',
  columns: fields('category_id', 'name'),
  sql: sql`
      select category_id, trim(name) as name from marts.dim_category
      where region = ${region} and gone_at is null
        and ${category === null ? sql`depth = 0` : sql`parent_id = ${category}`}
      order by name limit 60`,
});

/** Values of a filter as links: name, address, whether it is chosen, and how many products it has. */
const Facet = (props: { name: string; of: (readonly [string | null, string, boolean, (number | undefined)?])[] }) =>
  props.of.length > 0 && (
    <nav class="facet" aria-label={props.name}>
      <h2>{props.name}</h2>
      <ul>
        {props.of.map(([name, href, isChosen, products]) => (
          <li key={href}>
            <a href={href} aria-current={isChosen ? 'true' : undefined}>
              {text(name)}
            </a>{' '}
            {products !== undefined && <small>{number(products)}</small>}
          </li>
        ))}
      </ul>
    </nav>
  );

/** Orders as links, the one without a choice first. */
function Orders({ of: { parameters: p, hrefWith } }: { of: FindPage }): JSX.Element {
  const usual = orderOf({ ...p, sort: undefined });
  const links = [...new Set([usual, ...find.parameters.shape.sort.unwrap().options])].map((name) => {
    // Among all products, an index has no order by unit: the most frequent one is chosen.
    const unit = p.unit ?? (isNarrow(p) || !name.endsWith('unit') ? null : 'kg');
    const href = hrefWith({ sort: name === usual ? null : name, unit });
    return [capital(orders[name].name), href, name === orderOf(p)] as const;
  });
  return <Chips label="Order" of={links} />;
}

/** What to look for where nothing matches: names that look alike, or a department. */
async function instead({ ask, hrefWith, parameters: { words = '', region } }: FindPage): Promise<JSX.Element> {
  const like = { caption: 'Names that look alike', columns: fields('name'), sql: namesLike([region], words) };
  const names = (await ask(like)).map(({ name }) => [text(name), hrefWith({ words: name })] as const);
  const departments = (await ask(categoriesBelow(region, null))).map(
    ({ category_id: category, name }) => [text(name), `/find${searchOf({ region, category })}`] as const,
  );
  const [other, there] = region === 'uk' ? ['ie', 'Ireland'] : ['uk', 'the UK'];
  return (
    <Card title="Products">
      <p class="none">Nothing matches. Try fewer or shorter words.</p>
      {names.length > 0 && <Chips label="Names that look alike" said="Did you mean" of={names} />}
      <Chips label="The other region" of={[[`Search ${there} for it`, hrefWith({ region: other })]]} />
      {departments.length > 0 && <Chips label="Departments" said="Look in" of={departments} />}
    </Card>
  );
}

async function list(shown: FindPage): Promise<JSX.Element> {
  const found = await shown.lined('shelf');
  if (found.rows.length === 0 && found.page === 1) return instead(shown);
  const isByUnit = orderOf(shown.parameters).endsWith('unit');
  const basis = isNarrow(shown.parameters) ? 'what members pay' : 'the shelf price';
  const change: Cell<(typeof found.rows)[number]> = {
    heading: `Change in ${nightsIn.month} nights`,
    isNamed: true,
    show: ({ moved_pct, line }) => <Change percent={moved_pct ?? changeIn30(line)} />,
  };
  return listCard(
    shown,
    found,
    { title: 'Products', aside: <Orders of={shown} /> },
    <>
      {isByUnit && <p class="quiet">{`By ${basis}; only prices of the same unit compare.`}</p>}
      <ProductList
        of={found}
        caption="Products"
        kept={{ region: shown.parameters.region, items: shown.options['items'] }}
        options={{ cells: [change, perUnitNow, priceNow] }}
      />
    </>,
  );
}

/** Categories of the name that was searched for. */
async function categoriesNamed({ ask, hrefWith, parameters: { words, region } }: FindPage) {
  if (words === undefined) return null;
  const categories = await ask({
    caption: 'Categories of that name',
    columns: fields('category_id', 'path'),
    sql: sql`
      select c.category_id, c.path
      from marts.dim_category c
      where c.region = ${region} and c.gone_at is null and exists (
        select from unnest(${[words, ...synonymsOf(words)]}::text[]) as words
        where to_tsvector('english', c.name) @@ plainto_tsquery('english', words))
      -- Breakfast Cereals before Cereal Bars.
      order by
        strpos(rtrim(lower(c.name), 's ') || ';', rtrim(lower(${words}), 's ') || ';') = 0,
        length(c.name), c.path
      limit 4`,
  });
  if (categories.length === 0) return null;
  const links = categories.map(({ category_id: category, path }) => {
    // The name and the one above it that says more.
    const names = new Set(path!.split(' > ').map((name) => text(name.trim())));
    return [[...names].slice(-2).join(' › '), hrefWith({ category, words: null, sort: null })] as const;
  });
  return <Chips label="Categories of that name" said="Categories" of={links} />;
}

export const findPage = page(find, {
  nav: 'Find',
  about: 'Products as of the last night, with search, filters and counts.',
  options: ['items'],
  async title(shown) {
    const [total, { words, unit }] = [await totalOf(shown), shown.parameters];
    const some = total === 0 ? 'No product' : plural(total, 'product');
    const found = total > maxCounted ? `More than ${number(maxCounted)} products` : some;
    const named = words === undefined ? '' : ` for “${text(words)}”`;
    const per = unit === undefined ? '' : ` priced per ${unitName(unit)}`;
    return `${found}${named}${await inCategory(shown, shown.parameters)}${per}`;
  },
  blocks: [
    categoriesNamed,
    quickFilters,
    when(
      ({ written }) => Object.keys(written).every((name) => name === 'region'),
      of(
        movers,
        ({ region }: Parameters) => ({ region, period: 'month' }) as const,
        largestMoves(3, 'Largest rises in a month', 'Largest falls in a month'),
      ),
    ),
    beside('pair find-page')(facets, list),
  ],
});
