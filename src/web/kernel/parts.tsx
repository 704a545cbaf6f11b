import type { ComponentChildren, JSX } from 'preact';
import { type Changes, type HrefWith, lastPage } from './addresses.ts';
import { text } from './words.ts';

/** Parameters that a form keeps; those without a value are left out. */
export const Kept = ({ of: kept }: { of: Changes }) => (
  <>
    {Object.entries(kept).map(
      ([name, value]) => value != null && value !== '' && <input key={name} type="hidden" name={name} value={value} />,
    )}
  </>
);

/** Card with a heading, unless that is empty, and a remark beside it. */
export function Card(props: { id?: string; title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="card" id={props.id}>
      {props.title !== '' && (
        <header>
          <h2>{props.title}</h2>
          {props.aside && <div>{props.aside}</div>}
        </header>
      )}
      {props.children}
    </section>
  );
}

export const Badge = ({ kind = '', children }: { kind?: string; children: ComponentChildren }) => (
  <span class={`badge ${kind}`.trim()}>{children}</span>
);

interface ChipsProps {
  readonly label: string;
  /** What stands before them. */
  readonly said?: string;
  /** Name, address, and whether it is chosen. */
  readonly of: readonly (readonly [name: ComponentChildren, href: string, isChosen?: boolean])[];
}

/** Links beside each other, of which some may be chosen. */
export const Chips = ({ label, said, of: links }: ChipsProps): JSX.Element => (
  <nav class="chips" aria-label={label}>
    {said && <span class="quiet">{said}</span>}
    {links.map(([name, href, isChosen]) => (
      <a key={href} class="chip" href={href} aria-current={isChosen ? 'true' : undefined}>
        {name}
      </a>
    ))}
  </nav>
);

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | number | undefined;
  readonly type: 'search' | 'number' | 'date';
  /** Limits of a number. */
  readonly limits?: { readonly step?: number | 'any'; readonly min?: number; readonly max?: number | undefined };
}

/** Labelled input of a filter form. */
export const Field = ({ name, label, value = '', type, limits = {} }: FieldProps): JSX.Element => (
  <label for={`field-${name}`}>
    {label}
    <input
      id={`field-${name}`}
      {...{ name, value, type: type as 'search' }}
      {...(type === 'number' ? { step: 'any', min: 0, ...limits } : {})}
    />
  </label>
);

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
export function Pager(props: {
  page: number;
  hasMore: boolean;
  hrefWith: HrefWith;
  /** What the list shows, if a page has several. */
  of?: string | undefined;
}): JSX.Element | null {
  const { page, hasMore, hrefWith, of } = props;
  if (page === 1 && !hasMore) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${of ?? 'the list'}`}>
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

/** Named values, as lines or as large figures; those without a value are left out. */
export const Facts = (props: {
  of: readonly (readonly [name: string, value: ComponentChildren, isRoomy?: boolean])[];
  areLarge?: boolean;
}) => (
  <dl class={props.areLarge ? 'stats' : 'facts'}>
    {props.of.map(
      ([name, value, isRoomy = false]) =>
        value !== null &&
        value !== '' && (
          <div key={name} class={isRoomy ? 'roomy' : undefined}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** Frame for content that may be wider than the window. It scrolls horizontally and can be focused by keyboard. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
