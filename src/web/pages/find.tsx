import type { ComponentChildren, JSX } from 'preact';
import { nightsIn } from '../../base/model/index.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { find, type OrderName, orderOf, orders } from '../../questions/find.ts';
import { movers } from '../../questions/movers.ts';
import { synonymsOf } from '../../questions/named.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { beside, filters, of, when } from '../kernel/blocks.tsx';
import { changeIn30, perUnitNow, priceChange, priceNow } from '../kernel/cells.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Change, Chips, listCard } from '../kernel/parts.tsx';
import { type Cell, ProductList, products } from '../kernel/products.tsx';
import { number, plural, text } from '../kernel/words.ts';
import { CategoryLinks, categoriesAbove, inCategory } from './category-links.tsx';

type Found = RowOf<typeof find>;
type Parameters = ParametersOf<typeof find>;
type FindPage = Shown<Found, Parameters>;

/** Products that counts read at most: more would take longer than the page. */
const maxCounted = 2_000;
const brandsShown = 10;

/** Numbers of products that match, and of those on offer; more than are counted is one more than the most. */
const countsOf = ({ count }: FindPage, given: Partial<Parameters> = {}) =>
  count(
    { promotion: sql`on_promotion and is_for_sale`, loyalty: sql`loyalty_price is not null and is_for_sale` },
    { given, limit: maxCounted },
  );
const totalOf = async (page: FindPage): Promise<number> => (await countsOf(page)).all_rows;

/** The chosen category below those above it. */
const trailOf = async ({ ask, parameters: { region, category } }: FindPage) =>
  category === undefined ? [] : ask(categoriesAbove(region, category));

/** The most frequent filters, each one click. */
async function quickFilters(shown: FindPage): Promise<JSX.Element> {
  const { parameters: p, hrefWith } = shown;
  const counts = await countsOf(shown, { offer: 'any' });
  const out = await countsOf(shown, { availability: 'unavailable' });
  const known = (all: number, some: number) => (all > maxCounted ? null : some);
  const chips = [
    ['On offer', 'offer', 'promotion', known(counts.all_rows, counts.promotion)],
    ['Members’ price', 'offer', 'loyalty', known(counts.all_rows, counts.loyalty)],
    [`Dearer in ${nightsIn.month} nights`, 'moved', 'dearer', null],
    [`Cheaper in ${nightsIn.month} nights`, 'moved', 'cheaper', null],
    ['Out of stock', 'availability', 'unavailable', known(out.all_rows, out.all_rows)],
    ['Own labels', 'label', 'own', null],
    ['Brands', 'label', 'brand', null],
  ] as const;
  const isPlain = chips.every(([, parameter, value]) => p[parameter] !== value);
  const links = chips.flatMap(([name, parameter, value, products]) => {
    const isChosen = p[parameter] === value;
    if (products === 0 && !isChosen) return [];
    const counted = products === null ? name : `${name} ${number(products)}`;
    return [[counted, hrefWith({ [parameter]: isChosen ? null : value }), isChosen] as const];
  });
  const others = (await otherFilters(shown)).map(({ name, without }) => [removed(name), hrefWith(without)] as const);
  const all = ['All', hrefWith({ offer: null, moved: null, availability: null, label: null }), isPlain] as const;
  return <Chips label="Quick filters" of={[all, ...links, ...others]} />;
}

const removed = (name: string) => (
  <>
    {name} <span aria-hidden="true">×</span>
    <span class="hidden">: remove</span>
  </>
);

/** The filters of other kinds, each with the parameters that remove it. */
async function otherFilters(shown: FindPage) {
  const { parameters: p } = shown;
  const range = (name: string, from: unknown, to: unknown) => {
    const limits = [from, to].filter((value) => value !== undefined).join(' to ');
    return `${name} ${from === undefined ? 'up to ' : to === undefined ? 'from ' : ''}${limits}`;
  };
  const filters = [
    { name: text((await trailOf(shown)).at(-1)?.name ?? 'Category'), of: ['category'] },
    { name: text(p.brand ?? ''), of: ['brand'] },
    { name: range('Price', p.price_from, p.price_to), of: ['price_from', 'price_to'] },
    { name: `Per ${p.unit}`, of: ['unit'] },
    { name: range('Per unit', p.unit_price_from, p.unit_price_to), of: ['unit_price_from', 'unit_price_to'] },
  ] as const;
  return filters
    .filter(({ of }) => of.some((name) => p[name] !== undefined))
    .map(({ name, of }) => ({ name, without: Object.fromEntries(of.map((one) => [one, null])) }));
}

/** Categories, brands and prices with counts; they fold on a phone. */
async function facets(shown: FindPage): Promise<JSX.Element> {
  const { parameters: p, hrefWith } = shown;
  const trail = await trailOf(shown);
  const chosen = trail.at(-1)?.category_id ?? null;
  const isCounted = (await totalOf(shown)) <= maxCounted;
  const brands = !isCounted
    ? []
    : (await shown.countBy(sql`brand_key`, { name: sql`mode() within group (order by brand)` as Sql }))
        .filter(({ value }) => value !== null)
        .slice(0, brandsShown);
  const below = await shown.ask({
    caption: 'Categories below the chosen one',
    columns: fields('category_id', 'name'),
    sql: sql`
      select category_id, trim(name) as name from marts.dim_category
      where region = ${p.region} and gone_at is null
        and ${chosen === null ? sql`depth = 0` : sql`parent_id = ${chosen}`}
      order by name limit 60`,
  });
  // A product in several of them counts in each.
  const members = isCounted
    ? await shown.countBy(sql`unnest(array(
        select category_id from marts.product_category_now m
        where m.product_key = asked.product_key and m.depth = ${trail.length}::int))`)
    : [];
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
      >
        {chosen !== null && <CategoryLinks region={p.region} category={chosen} but="/find" />}
      </Facet>
      {brands.length > 0 && (
        <Facet
          name="Brand"
          of={brands.map(({ value, name, all_rows }) => {
            const isChosen = p.brand === value;
            return [String(name), hrefWith({ brand: isChosen ? null : value }), isChosen, all_rows];
          })}
        />
      )}
      <div class="facet">
        {await filters('price_from', 'price_to', 'unit', 'unit_price_from', 'unit_price_to', 'sort')(shown)}
      </div>
    </details>
  );
}

/** Values of a filter as links: name, address, whether it is chosen, and how many products it has. */
const Facet = (props: {
  name: string;
  of: (readonly [string | null, string, boolean, (number | undefined)?])[];
  children?: ComponentChildren;
}) => (
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
    {props.children}
  </nav>
);

/** Sorts a column upwards or, if it is sorted upwards, downwards. */
function sortedBy<Row>(cell: Cell<Row>, up: OrderName, down: OrderName, of: FindPage) {
  const sort = orderOf(of.parameters);
  return {
    ...cell,
    sort: {
      href: of.hrefWith({ sort: sort === up ? down : up }),
      now: sort === up ? ('ascending' as const) : sort === down ? ('descending' as const) : undefined,
    },
  };
}

async function list(shown: FindPage): Promise<JSX.Element> {
  const found = await shown.lined('member');
  const change: Cell<(typeof found.rows)[number]> = {
    heading: `${nightsIn.month} nights`,
    show: ({ moved_pct, line }) => <Change percent={moved_pct ?? changeIn30(line)} />,
  };
  return listCard(
    shown,
    found,
    { title: 'Products', aside: `Order: ${orders[orderOf(shown.parameters)].name}` },
    <ProductList
      of={found}
      caption="Products"
      kept={{ region: shown.parameters.region, items: shown.options['items'] }}
      options={{
        sign: ({ moved_pct, line }) => Number(moved_pct ?? changeIn30(line)),
        cells: [
          change,
          sortedBy(perUnitNow, 'cheapest-unit', 'dearest-unit', shown),
          sortedBy(priceNow, 'cheapest', 'dearest', shown),
        ],
      }}
    />,
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
      where c.region = ${region} and c.gone_at is null and ${hasInItsName([words, ...synonymsOf(words)])}
      -- Breakfast Cereals before Cereal Bars.
      order by
        strpos(rtrim(lower(c.name), 's ') || ';', rtrim(lower(${words}), 's ') || ';') = 0,
        length(c.name), c.path
      limit 4`,
  });
  if (categories.length === 0) return null;
  const links = categories.map(
    ({ category_id: category, path }) => [shortPath(path!), hrefWith({ category, words: null, sort: null })] as const,
  );
  return <Chips label="Categories of that name" said="Categories" of={links} />;
}

/** Categories with all the words of one of the searches, each in the singular or the plural. */
const hasInItsName = (searches: readonly string[]): Sql => sql`exists (
        select from unnest(${searches}::text[]) as words
        where words ~ '[[:alnum:]]' and not exists (
          select from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
          where word <> ''
            and c.name !~* ('\\m' || regexp_replace(word, '(ies|y|e?s)$', '') || '(e|s|es|y|ies)?\\M')))`;

/** `Soft Drinks › Cola`: the name and the one above it that says more. */
function shortPath(path: string): string {
  const names = path.split(' > ').map((name) => text(name.trim()));
  return names
    .filter((name, i) => name !== names[i + 1])
    .slice(-2)
    .join(' › ');
}

export const findPage = page(find, {
  nav: 'Find',
  about: 'Products as of the last night, with search, filters and counts.',
  options: ['items'],
  async title(shown) {
    const total = await totalOf(shown);
    const { words } = shown.parameters;
    const counted = total > maxCounted ? `More than ${number(maxCounted)} products` : plural(total, 'product');
    const named = words === undefined ? '' : ` for “${text(words)}”`;
    return `${counted}${named}${await inCategory(shown, shown.parameters)}`;
  },
  blocks: [
    categoriesNamed,
    quickFilters,
    when(
      ({ written }) => Object.keys(written).every((name) => name === 'region'),
      of(
        movers,
        ({ region }) => ({ region, period: 'month' }) as const,
        products<RowOf<typeof movers>, ParametersOf<typeof movers>>({
          title: 'Largest changes in a month',
          only: 5,
          all: 'All movers',
          sign: ({ change }) => Number(change),
          cells: [priceChange],
        }),
      ),
    ),
    beside('pair find-page')(facets, list),
  ],
});
