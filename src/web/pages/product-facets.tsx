import { type Category, CategoryLinks } from '../category-choice.tsx';
import type { Table } from '../page.ts';
import { Choice, Field, type HrefWith } from '../parts.tsx';
import { number, plural, text } from '../words.ts';
import { type Facet, orderNames, orderOf, type Parameters } from './products-queries.ts';

interface FacetTables {
  readonly facets: Table<Facet>;
  readonly trail: Table<Category>;
}

/** The most frequent filters, each one click. */
export function QuickFilters(props: { p: Parameters; tables: FacetTables; span: number; hrefWith: HrefWith }) {
  const { p, tables, span, hrefWith } = props;
  const facets = tables.facets.rows;
  const inSpan = `in ${plural(span, 'night')}`;
  const chips = [
    { name: 'On offer', facet: 'offer', parameter: 'offer', value: 'promotion' },
    { name: 'Members’ price', facet: 'members', parameter: 'offer', value: 'loyalty' },
    { name: `Dearer ${inSpan}`, facet: 'dearer', parameter: 'moved', value: 'dearer' },
    { name: `Cheaper ${inSpan}`, facet: 'cheaper', parameter: 'moved', value: 'cheaper' },
    { name: 'Out of stock', facet: 'out', parameter: 'availability', value: 'unavailable' },
  ] as const;
  const isPlain = chips.every(({ parameter, value }) => p[parameter] !== value);
  return (
    <nav class="chips" aria-label="Quick filters">
      <a
        class="chip"
        href={hrefWith({ offer: null, moved: null, availability: null, page: null })}
        aria-current={isPlain ? 'true' : undefined}
      >
        All
      </a>
      {chips.map(({ name, facet, parameter, value }) => {
        const isChosen = p[parameter] === value;
        const count = facets.find((row) => row.facet === facet)?.products ?? null;
        if (Number(count ?? 1) === 0 && !isChosen) return null;
        return (
          <a
            key={name}
            class="chip"
            href={hrefWith({ [parameter]: isChosen ? null : value, page: null })}
            aria-current={isChosen ? 'true' : undefined}
          >
            {name} {count !== null && number(count)}
          </a>
        );
      })}
      {chosenFilters(p, tables).map(({ name, without }) => (
        <a key={name} class="chip" href={hrefWith({ ...without, page: null })}>
          {name} <span aria-hidden="true">×</span>
          <span class="hidden">: remove</span>
        </a>
      ))}
    </nav>
  );
}

/** Filters whose removal finds something, where nothing matches. */
export function WithoutOne({ p, tables, hrefWith }: { p: Parameters; tables: FacetTables; hrefWith: HrefWith }) {
  const count = (name: string) => Number(tables.facets.rows.find(({ facet }) => facet === name)?.products ?? 0);
  if (count('total') > 0) return null;
  const found = [
    { name: 'on offer or not', facet: 'any_offer', without: { offer: null } },
    { name: 'whatever their price did', facet: 'any_move', without: { moved: null } },
    { name: 'in stock or not', facet: 'any_stock', without: { availability: null } },
  ].filter(({ facet }) => count(facet) > 0);
  const others = chosenFilters(p, tables);
  if (found.length + others.length === 0) return null;
  return (
    <nav class="chips" aria-label="Remove a filter">
      <span class="quiet">Nothing matches all filters.</span>
      {found.map(({ name, facet, without }) => (
        <a key={name} class="chip" href={hrefWith({ ...without, page: null })}>
          {plural(count(facet), 'product')} {name}
        </a>
      ))}
      {others.map(({ name, without }) => (
        <a key={name} class="chip" href={hrefWith({ ...without, page: null })}>
          Without {name}
        </a>
      ))}
    </nav>
  );
}

/** The filters of the other kinds, each with the parameters that remove it. */
function chosenFilters(p: Parameters, { facets, trail }: FacetTables) {
  const brand = facets.rows.find(({ facet, key }) => facet === 'brand' && key === p.brand)?.label ?? p.brand;
  const isGiven = (value: unknown) => value !== undefined;
  const range = (name: string, from: unknown, to: unknown) => {
    const limits = [from, to].filter(isGiven).join(' to ');
    return `${name} ${from === undefined ? 'up to ' : to === undefined ? 'from ' : ''}${limits}`;
  };
  const filters = [
    { name: text(trail.rows.at(-1)?.name ?? 'Category'), of: ['category'] },
    { name: text(brand), of: ['brand'] },
    { name: range('Price', p.price_from, p.price_to), of: ['price_from', 'price_to'] },
    { name: `Per ${p.unit}`, of: ['unit'] },
    { name: range('Per unit', p.unit_price_from, p.unit_price_to), of: ['unit_price_from', 'unit_price_to'] },
  ] as const;
  return filters
    .filter(({ of }) => of.some((name) => isGiven(p[name])))
    .map(({ name, of }) => ({ name, without: Object.fromEntries(of.map((one) => [one, null])) }));
}

/** Categories, brands and prices with counts; they fold on a phone. */
export function Facets(props: { p: Parameters; tables: FacetTables; hrefWith: HrefWith }) {
  const { p, tables, hrefWith } = props;
  const { trail } = { trail: tables.trail.rows };
  const rows = (name: string) => tables.facets.rows.filter(({ facet }) => facet === name);
  const to = (category: number | string | null) => hrefWith({ category, page: null });
  return (
    <details class="facets">
      <summary>Category, brand and price</summary>
      <nav class="facet" aria-label="Categories">
        <h2>Category</h2>
        <ul>
          {trail.length > 0 && (
            <li>
              <a href={to(null)}>All departments</a>
            </li>
          )}
          {trail.map(({ category_key, name }, i) => (
            <li key={category_key}>
              {i === trail.length - 1 ? <strong>{text(name)}</strong> : <a href={to(category_key)}>{text(name)}</a>}
            </li>
          ))}
          {rows('category')
            .filter(({ products: count }) => count === null || Number(count) > 0)
            .map(({ key, label, products: count }) => (
              <li key={key} class={trail.length > 0 ? 'below' : undefined}>
                <a href={to(key)}>{text(label)}</a> {count !== null && <span class="about">{number(count)}</span>}
              </li>
            ))}
        </ul>
        {p.category !== undefined && <CategoryLinks region={p.region} category={p.category} but="/products" />}
      </nav>
      {rows('brand').length > 0 && (
        <nav class="facet" aria-label="Brands">
          <h2>Brand</h2>
          <ul>
            {rows('brand').map(({ key, label, products: count }) => (
              <li key={key}>
                <a
                  href={hrefWith({ brand: p.brand === key ? null : key, page: null })}
                  aria-current={p.brand === key ? 'true' : undefined}
                >
                  {text(label)}
                </a>{' '}
                <span class="about">{number(count)}</span>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <form class="filters facet" action="/products" autocomplete="off">
        {(['q', 'region', 'category', 'brand', 'offer', 'moved', 'availability'] as const).map(
          (name) => p[name] !== undefined && <input key={name} type="hidden" name={name} value={p[name]} />,
        )}
        <Field name="price_from" label="Price from" value={p.price_from} type="number" />
        <Field name="price_to" label="Price to" value={p.price_to} type="number" />
        <Choice
          name="unit"
          label="Unit"
          value={p.unit ?? ''}
          options={{ '': 'any', kg: 'kilogram', litre: 'litre', each: 'each' }}
        />
        <Field name="unit_price_from" label="Per unit from" value={p.unit_price_from} type="number" />
        <Field name="unit_price_to" label="Per unit to" value={p.unit_price_to} type="number" />
        <Choice name="sort" label="Order" value={orderOf(p, p.category)} options={orderNames} />
        <button type="submit">Apply</button>
      </form>
    </details>
  );
}
