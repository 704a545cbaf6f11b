import type { ComponentChildren, JSX } from 'preact';
import { lastPage } from './parameters.ts';
import { text } from './words.ts';

/** Path of a product's page. */
export function productHref(region: string, productId: string): string {
  return `/product?region=${encodeURIComponent(region)}&id=${encodeURIComponent(productId)}`;
}

interface Named {
  readonly region: string;
  readonly product_id: string;
}

/** Address at which a product can be compared with others. */
export function compareHref({ region, product_id }: Named): string {
  return `/compare?p=${region}:${encodeURIComponent(product_id)}&region=${region}`;
}

/** Address of a basket of one product. */
export function basketHref({ region, product_id }: Named): string {
  return `/basket?items=${encodeURIComponent(product_id)}&region=${region}`;
}

export type HrefWith = (changes: Readonly<Record<string, string | number | null>>) => string;

interface FiltersProps {
  readonly action: string;
  /** Parameters that the form keeps. */
  readonly keep?: Readonly<Record<string, string | number | undefined>>;
  readonly children: ComponentChildren;
}

/** Filter form; it folds on a phone. */
export function Filters({ action, keep = {}, children }: FiltersProps): JSX.Element {
  return (
    <details class="filterbar">
      <summary>Filter</summary>
      <form class="filters" action={action} autocomplete="off">
        {Object.entries(keep).map(
          ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        {children}
        <button type="submit">Show</button>
      </form>
    </details>
  );
}

/** One of several views of a page, as links. */
export function Chips(props: {
  label: string;
  chosen: string;
  options: Readonly<Record<string, ComponentChildren>>;
  href(option: string): string;
}): JSX.Element {
  const { label, chosen, options, href } = props;
  return (
    <nav class="chips" aria-label={label}>
      {Object.entries(options).map(([option, name]) => (
        <a key={option} class="chip" href={href(option)} aria-current={option === chosen ? 'true' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Card with a heading and a remark beside it. */
export function Card(props: {
  id?: string;
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="card" id={props.id}>
      <header>
        <h2>{props.title}</h2>
        {props.aside && <p>{props.aside}</p>}
      </header>
      {props.children}
    </section>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | number | undefined;
  readonly type: 'search' | 'number' | 'date';
  /** Minimum and maximum of a number field; by default 0 and none. */
  readonly least?: number;
  readonly most?: number;
}

/** Labelled input of a filter form. */
export function Field({ name, label, value, type, least = 0, most }: FieldProps): JSX.Element {
  return (
    <label for={`field-${name}`}>
      {label}
      {type === 'number' ? (
        <input
          id={`field-${name}`}
          name={name}
          type="number"
          step={most === undefined ? 'any' : 1}
          min={least}
          max={most}
          value={value ?? ''}
        />
      ) : type === 'search' ? (
        <input id={`field-${name}`} name={name} type="search" value={value ?? ''} />
      ) : (
        <input id={`field-${name}`} name={name} type="date" value={value ?? ''} />
      )}
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Label of each value. */
  readonly options: Readonly<Record<string, string>>;
}

export function Choice({ name, label, value, options }: ChoiceProps): JSX.Element {
  // Adds the current value if it is not among the options, so that the form matches the page.
  const shown = Object.hasOwn(options, value) ? options : { ...options, [value]: text(value) };
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(shown).map(([option, title]) => (
          <option key={option} value={option} selected={option === value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * Links to the previous and next page. There is no page count, because counting all rows would cost more than showing
 * them.
 */
export function Pager(props: { page: number; hasMore: boolean; hrefWith: HrefWith }): JSX.Element | null {
  const { page, hasMore, hrefWith } = props;
  if (page === 1 && !hasMore) return null;
  return (
    <nav class="pager" aria-label="Pages of the table">
      {page > 1 && (
        <a rel="prev" href={hrefWith({ page: page - 1 })}>
          Previous page
        </a>
      )}
      <span>Page {page}</span>{' '}
      {hasMore && page < lastPage && (
        <a rel="next" href={hrefWith({ page: page + 1 })}>
          Next page
        </a>
      )}
      {hasMore && page >= lastPage && <span>Last page. Use filters to find other rows.</span>}
    </nav>
  );
}
