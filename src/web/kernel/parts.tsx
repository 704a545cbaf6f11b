import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { type Changes, type HrefWith, lastPage } from './addresses.ts';
import type { Rows, Shown } from './page.ts';
import { nothing, percent as signed } from './words.ts';

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

/** A card with a list, or with what it says without rows; a list that is not short has links to its other pages. */
export async function listCard(
  { none, hrefWith }: Pick<Shown<unknown, unknown>, 'none' | 'hrefWith'>,
  found: Rows<unknown>,
  options: { title?: string; aside?: ComponentChildren; none?: string | undefined; isShort?: boolean },
  list: ComponentChildren,
): Promise<JSX.Element> {
  const { title = '', aside, isShort = false } = options;
  return (
    <Card title={title} aside={aside}>
      {found.rows.length === 0 ? <p class="none">{withCode(options.none ?? (await none()))}</p> : list}
      {!isShort && <Pager of={found} title={title || 'the list'} hrefWith={hrefWith} />}
    </Card>
  );
}

/**
 * Links to the previous and next page. There is no page count, because counting all rows would cost more than showing
 * them.
 */
function Pager({
  of: { page, from, rows, hasMore },
  title,
  hrefWith,
}: {
  of: Rows<unknown>;
  title: string;
  hrefWith: HrefWith;
}) {
  if (page === 1 && !hasMore) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${title}`}>
      {page > 1 && (
        <a rel="prev" href={hrefWith({ page: page - 1 })}>
          Previous page
        </a>
      )}
      <span>{`${from} to ${from + rows.length - 1}`}</span>{' '}
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
  of: readonly (readonly [name: string, value: ComponentChildren])[];
  areLarge?: boolean;
}) => (
  <dl class={props.areLarge ? 'stats' : 'facts'}>
    {props.of.map(
      ([name, value]) =>
        value !== null &&
        value !== '' && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

/** Of more rows a phone shows the first ten, until it is asked for all. */
const mostOnPhone = 16;

/** Frame for rows that may be wider than the window. It scrolls horizontally and can be focused by keyboard. */
export function Scroll(props: { label: string; rows?: number; children: ComponentChildren }): JSX.Element {
  const { label, rows = 0, children } = props;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <section class="scroll" aria-label={label} tabIndex={0}>
        {children}
      </section>
      {rows > mostOnPhone && (
        <details class="all-rows">
          <summary>All {rows} rows</summary>
        </details>
      )}
    </>
  );
}

/** A change of prices in percent: arrow, colour and a word show its direction. */
export function Change({ percent }: { percent: string | number | null }): JSX.Element {
  if (percent === null) return <span class="quiet">{nothing}</span>;
  const value = Number(percent);
  const size = signed(percent).replace(/^[+−]/, '');
  if (size === '0.0%') return <span class="quiet">{value === 0 ? 'the same' : 'about the same'}</span>;
  return (
    <span class={`change ${value > 0 ? 'up' : 'down'}`}>
      <span aria-hidden="true">{value > 0 ? '▲' : '▼'}</span> {size}
      <span class="hidden"> {value > 0 ? 'more' : 'less'}</span>
    </span>
  );
}

/** Command that starts the program in this installation, such as `npx pricebook`. */
export const OwnCommand = createContext('pricebook');

/** Renders text between backticks as commands, as they have to be typed in this installation. */
export function withCode(sentence: string): ComponentChildren {
  return sentence.split('`').map((part, i) => (i % 2 === 1 ? <Command key={i} line={part} /> : part));
}

function Command({ line }: { line: string }) {
  const own = useContext(OwnCommand);
  return <code>{line.replace(/^pricebook(?= )/, () => own)}</code>;
}
