import type { ComponentChildren, JSX } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { explorerScript, font, stylesheet } from '../assets.ts';
import type { Changes } from './addresses.ts';
import { areUsual, type Freshness, freshnessLines, isStale } from './freshness.ts';
import { Icon } from './icons.tsx';
import { Chips, Kept, OwnCommand } from './parts.tsx';
import { regionName } from './words.ts';

/** A link of the navigation. Pages of the group are under Operations. */
export interface NavLink {
  readonly path: string;
  readonly name: string;
  readonly isOperations?: boolean;
  /** Whether the page is of one region, which the link then keeps. */
  readonly hasRegion?: boolean;
}

export interface LayoutProps {
  readonly title: string;
  /** The page shows the title as its own heading. */
  readonly hasOwnHeading?: boolean;
  /** The question that the page answers, for search engines and previews of links. */
  readonly about?: string;
  /** A sentence below the heading. */
  readonly lead?: ComponentChildren;
  readonly path: string;
  /** Whether it is under Operations. */
  readonly isOperations?: boolean;
  readonly nav: readonly NavLink[];
  /** Null: the database could not be read. */
  readonly freshness: readonly Freshness[] | null;
  /** Region of the page, and its address in each region. */
  readonly region?: RegionCode | undefined;
  regionHref?(region: RegionCode): string;
  readonly words?: string | undefined;
  /** Parameters that the search keeps. */
  readonly kept?: Changes;
  /** How to start the program in this installation; only pages that show commands need it. */
  readonly ownCommand?: string;
  readonly children: ComponentChildren;
}

/** Renders a page to HTML. All values are escaped. */
export function renderPage(props: LayoutProps): string {
  return `<!doctype html>${renderToStaticMarkup(
    <OwnCommand.Provider value={props.ownCommand ?? 'pricebook'}>
      <Layout {...props} />
    </OwnCommand.Provider>,
  )}`;
}

function Layout(props: LayoutProps): JSX.Element {
  const { title, about, hasOwnHeading = false, lead, path, nav, freshness } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Pricebook`}</title>
        {about && <meta name="description" content={about} />}
        <link rel="icon" href="data:," />
        <link rel="preload" href={font.path} as="font" type={font.type} crossorigin="anonymous" />
        <link rel="stylesheet" href={stylesheet.path} />
        <script src={explorerScript.path} type="module" />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <div class="wrap bar">
            <a class="brand" href="/">
              <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
                <rect x="1" y="4" width="30" height="24" rx="5" fill="var(--offer)" />
                <path d="M7 20h6v-6h6v4h6" fill="none" stroke="var(--on-offer)" stroke-width="2.4" />
              </svg>
              <span>Pricebook</span>
            </a>
            {nav.length > 0 && path !== '/' && <Find id="find" words={props.words} kept={props.kept} />}
            <span class="spring" />
            {props.region && props.regionHref && <RegionSwitch region={props.region} href={props.regionHref} />}
            <button id="theme" class="round" type="button" aria-label="Light or dark" hidden>
              <Icon name="theme" />
            </button>
            {nav.length > 0 && <Navigation {...props} />}
          </div>
        </header>
        <main class="wrap" id="main" tabIndex={-1}>
          <Fresh freshness={freshness} />
          {!hasOwnHeading && (
            <div class="head">
              <h1>{title}</h1>
              {lead && <p class="lead">{lead}</p>}
            </div>
          )}
          {props.children}
        </main>
        {nav.length > 0 && (
          <footer class="wrap foot">
            <a href="/questions">All questions</a> <a href="/docs/analyse/data-dictionary">Data dictionary</a>{' '}
            <a href="/docs/analyse/questions">Commands and API</a>
          </footer>
        )}
      </body>
    </html>
  );
}

/** Search for products, on every page. */
export function Find(props: { id: string; words?: string | undefined; kept?: Changes | undefined }) {
  const { id, words, kept = {} } = props;
  return (
    <search>
      <form id={id} class="find" action="/find" autocomplete="off">
        <label class="hidden" for={`${id}-words`}>
          Find a product
        </label>
        <Icon name="search" />
        <input
          id={`${id}-words`}
          list={`${id}-found`}
          type="search"
          name="words"
          value={words ?? ''}
          placeholder="Product, brand or barcode"
        />
        <datalist id={`${id}-found`} />
        <Kept of={kept} />
        <button type="submit">Find</button>
      </form>
    </search>
  );
}

function RegionSwitch({ region, href }: { region: RegionCode; href(region: RegionCode): string }) {
  const nameOf = (code: RegionCode) => (code === 'uk' ? <abbr title="United Kingdom">UK</abbr> : regionName(code));
  return <Chips label="Region" of={regionCodes.map((code) => [nameOf(code), href(code), code === region])} />;
}

/** Links to all pages; on a phone they fold into a menu. */
function Navigation({ nav, path, region, isOperations: isInside = false }: LayoutProps) {
  return (
    <details class="menu">
      <summary class="round" aria-label="Menu">
        <Icon name="menu" />
      </summary>
      <nav aria-label="Pages">
        <ul>
          {nav.map(({ name, path: to, isOperations, hasRegion }) => (
            <li key={to} class={isOperations ? (isInside ? 'last inside' : 'last') : undefined}>
              <a
                href={region === 'ie' && hasRegion && !isOperations ? `${to}?region=ie` : to}
                aria-current={to === path ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}

/** How new the prices are, in one line unless something is wrong. */
function Fresh({ freshness }: { freshness: readonly Freshness[] | null }) {
  if (freshness === null) return <p class="fresh">The database cannot be reached at the moment.</p>;
  return (
    <ul class="fresh" aria-label="How new the prices are">
      {freshnessLines(freshness).map((line, i) => (
        <li key={line} class={freshness.some(isStale) ? 'stale' : i > 0 && areUsual(freshness) ? 'roomy' : undefined}>
          {i === 0 && <span class="dot" />}
          {line}
        </li>
      ))}
      {freshness.some(({ isSimulated }) => isSimulated) && (
        <li>
          Simulated<span class="roomy">: products and prices are invented</span>
        </li>
      )}
    </ul>
  );
}
