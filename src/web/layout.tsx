import type { ComponentChildren, JSX } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { type RegionCode, regionCodes, regions } from '../base/model/index.ts';
import { explorerScript, font, stylesheet } from './assets.ts';
import { areUsual, type Freshness, freshnessLines, isStale } from './freshness.ts';
import { Icon } from './icons.tsx';
import type { Table } from './page.ts';
import { Scroll } from './scroll.tsx';
import { OwnCommand } from './with-code.tsx';

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
  /** Path of the current page. */
  readonly path: string;
  /** Whether it is under Operations. */
  readonly isOperations?: boolean;
  readonly nav: readonly NavLink[];
  /** Null: the database could not be read. */
  readonly freshness: readonly Freshness[] | null;
  readonly tables?: readonly Table<unknown>[];
  /** Address of the page's tables as JSON. */
  readonly jsonHref?: string;
  /** Region of the page, and its address in each region. */
  readonly region?: RegionCode | undefined;
  regionHref?(region: RegionCode): string;
  /** Words that were searched for. */
  readonly words?: string | undefined;
  /** Parameters that the search keeps. */
  readonly kept?: readonly (readonly [string, string])[];
  /** Stylesheets beside the one of all pages. */
  readonly styles?: readonly string[];
  /** Scripts that enhance the page; it works without them. */
  readonly scripts?: readonly string[];
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
  const { title, about, hasOwnHeading = false, lead, path, nav, freshness, tables = [] } = props;
  const { styles = [], scripts = [] } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Pricebook`}</title>
        {about && <meta name="description" content={about} />}
        <link rel="icon" href="data:," />
        <link rel="preload" href={font.path} as="font" type={font.type} crossorigin="anonymous" />
        {[stylesheet.path, ...styles].map((sheet) => (
          <link key={sheet} rel="stylesheet" href={sheet} />
        ))}
        {[explorerScript.path, ...scripts].map((script) => (
          <script key={script} src={script} type="module" />
        ))}
      </head>
      <body class={path === '/' ? 'home' : undefined}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <div class="wrap bar">
            <a class="brand" href="/">
              <svg viewBox="0 0 32 32" aria-hidden="true">
                <rect class="tag" x="1" y="4" width="30" height="24" rx="5" />
                <path class="step" d="M7 20h6v-6h6v4h6" />
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
          <Behind tables={tables} jsonHref={props.jsonHref} />
        </main>
        {nav.length > 0 && (
          <footer class="wrap foot">
            <a href="/docs">Documentation</a> <a href="/docs/analyse/data-dictionary">Data dictionary</a>{' '}
            <a href="/docs/analyse/questions">Commands and API</a>
          </footer>
        )}
      </body>
    </html>
  );
}

/** Search for products, on every page. */
export function Find(props: {
  id: string;
  words?: string | undefined;
  kept?: readonly (readonly [string, string])[] | undefined;
}) {
  const { id, words, kept = [] } = props;
  return (
    <search>
      <form id={id} class="find" action="/products" autocomplete="off">
        <label class="hidden" for={`${id}-q`}>
          Find a product
        </label>
        <Icon name="search" />
        <input id={`${id}-q`} type="search" name="q" value={words ?? ''} placeholder="Product, brand or barcode" />
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit">Find</button>
      </form>
    </search>
  );
}

function RegionSwitch({ region, href }: { region: RegionCode; href(region: RegionCode): string }) {
  return (
    <nav class="choices" aria-label="Region">
      {regionCodes.map((code) => (
        <a key={code} href={href(code)} aria-current={code === region ? 'true' : undefined}>
          {code === 'uk' ? <abbr title="United Kingdom">UK</abbr> : regions[code].name}
        </a>
      ))}
    </nav>
  );
}

/** Links to all pages; on a phone they fold into a menu. */
function Navigation({ nav, path, region, isOperations: isInside = false }: LayoutProps) {
  const operations = nav.filter(({ isOperations }) => isOperations);
  const link = (page: NavLink) => (
    <li key={page.path}>
      <a
        href={region === 'ie' && page.hasRegion ? `${page.path}?region=ie` : page.path}
        aria-current={page.path === path ? 'page' : undefined}
      >
        {page.name}
      </a>
    </li>
  );
  return (
    <details class="menu">
      <summary class="round" aria-label="Menu">
        <Icon name="menu" />
      </summary>
      <nav aria-label="Pages">
        <ul>
          {nav.filter(({ isOperations }) => !isOperations).map(link)}
          {operations.slice(0, 1).map((page) => (
            <li key={page.path} class={isInside ? 'last inside' : 'last'}>
              <a href={page.path} aria-current={page.path === path ? 'page' : undefined}>
                {page.name}
              </a>
            </li>
          ))}
        </ul>
        {isInside && <ul class="sub">{operations.slice(1).map(link)}</ul>}
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

/** SQL, CSV and JSON of every table of the page that has rows. */
function Behind({ tables: all, jsonHref }: { tables: readonly Table<unknown>[]; jsonHref?: string | undefined }) {
  const tables = all.filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return null;
  return (
    <details class="behind">
      <summary>The data of this page: CSV, JSON and SQL</summary>
      <p>
        Each statement runs unchanged in any client, also as the role bi_reader.{' '}
        {jsonHref !== undefined && <a href={jsonHref}>All tables as JSON</a>}
      </p>
      {tables.map(({ name, caption, csvHref, sql }) => (
        <details key={name}>
          <summary>{caption}</summary>
          <Scroll label={`SQL: ${caption}`}>
            {/* Inside the details: browsers open those that contain the target of a link. */}
            <pre id={`sql-${name}`}>{sql.copy}</pre>
          </Scroll>
          <p>
            <a href={csvHref}>{caption} as CSV</a>
          </p>
        </details>
      ))}
    </details>
  );
}
