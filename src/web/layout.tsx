import type { ComponentChildren, JSX } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { stylesheet } from './assets.ts';
import { OwnCommand } from './command.tsx';
import { type Freshness, freshnessLine } from './freshness.ts';
import type { Table } from './page.ts';
import { Scroll } from './scroll.tsx';

export interface LayoutProps {
  readonly title: string;
  /** Path of the current page. */
  readonly path: string;
  readonly nav: readonly { readonly path: string; readonly name: string }[];
  /** Null: the database could not be read. */
  readonly freshness: readonly Freshness[] | null;
  readonly tables?: readonly Table<unknown>[];
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

function Layout({ title, path, nav, freshness, tables = [], scripts = [], children }: LayoutProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Pricebook`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheet.path} />
        {scripts.map((script) => (
          <script key={script} src={script} type="module" />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header>
          <p class="name">Pricebook</p>
          <nav aria-label="Pages">
            <ul>
              {nav.map((page) => (
                <li key={page.path}>
                  <a href={page.path} aria-current={page.path === path ? 'page' : undefined}>
                    {page.name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <Fresh freshness={freshness} />
        </header>
        <main id="main" tabIndex={-1}>
          <h1>{title}</h1>
          {children}
          <Behind tables={tables} />
        </main>
      </body>
    </html>
  );
}

/** Nights of the simulator are played one after another: a book of them is behind until all are. */
function isStale({ behind, isSimulated }: Freshness): boolean {
  return behind === null || (behind > 1 && !isSimulated);
}

function Fresh({ freshness }: { freshness: readonly Freshness[] | null }) {
  if (freshness === null) return <p class="fresh">The database cannot be reached at the moment.</p>;
  return (
    <>
      {freshness.some(({ isSimulated }) => isSimulated) && (
        <p class="fresh">A simulated supermarket, not a real one: its products and prices are invented.</p>
      )}
      <ul class="fresh" aria-label="Last nights">
        {freshness.map((one) => (
          <li key={one.region} class={isStale(one) ? 'stale' : undefined}>
            {freshnessLine(one)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** SQL and CSV of every table of the page. */
function Behind({ tables }: { tables: readonly Table<unknown>[] }) {
  if (tables.length === 0) return null;
  return (
    <section class="behind" aria-labelledby="behind">
      <h2 id="behind">The SQL behind this page</h2>
      <p>Each statement runs unchanged in any client, also as the role bi_reader.</p>
      {tables.map(({ name, caption, csvHref, sql }) => (
        <details key={name} id={`sql-${name}`}>
          <summary>{caption}</summary>
          <Scroll label={`SQL: ${caption}`}>
            <pre>{sql.copy}</pre>
          </Scroll>
          <p>
            <a href={csvHref}>{caption} as CSV</a>
          </p>
        </details>
      ))}
    </section>
  );
}
