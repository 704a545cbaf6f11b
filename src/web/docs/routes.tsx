import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { JSX } from 'preact';
import { docsStylesheet } from '../assets.ts';
import type { LayoutProps } from '../layout.tsx';
import { type DocsLibrary, type DocsPage, type Found, readDocs } from './library.ts';

const parts: readonly (readonly [string, string])[] = [
  ['start', 'Start'],
  ['analyse', 'Analyse'],
  ['operate', 'Operate'],
  ['contribute', 'Contribute'],
];

type Shown = Pick<LayoutProps, 'title' | 'about' | 'hasOwnHeading' | 'path' | 'styles' | 'children'>;

/** Serves the pages of `docs` under `/docs`, with a search. `send` puts a page into the explorer's layout. */
export function serveDocs(
  server: FastifyInstance,
  send: (reply: FastifyReply, shown: Shown) => Promise<FastifyReply>,
): void {
  let read: DocsLibrary | null = null;
  const library = () => (read ??= readDocs());
  const show = (reply: FastifyReply, title: string, about: string, children: JSX.Element) =>
    send(reply, { title, about, hasOwnHeading: true, path: '/docs', styles: [docsStylesheet.path], children });

  server.get<{ Params: { '*': string }; Querystring: { q?: string } }>('/docs/*', async ({ params, query }, reply) => {
    const path = params['*'].replace(/\/$/, '');
    const picture = library().pictures.get(`/docs/${path}`);
    if (picture !== undefined) return reply.type('image/png').send(readFileSync(picture));
    if (path === 'search') {
      const words = String(query.q ?? '').slice(0, 200);
      const found = library().search(words);
      return show(reply, 'Search', 'Search of the documentation.', <Results words={words} found={found} />);
    }
    const page = library().pages.get(`/docs/${path}`);
    if (!page) return reply.callNotFound();
    return show(reply, page.title, page.about, <Reading page={page} pages={[...library().pages.values()]} />);
  });
  server.get('/docs', async (_request, reply) => {
    const page = library().pages.get('/docs');
    if (!page) return reply.callNotFound();
    return show(reply, page.title, page.about, <Reading page={page} pages={[...library().pages.values()]} />);
  });
}

function Reading({ page, pages }: { page: DocsPage; pages: readonly DocsPage[] }) {
  return (
    <div class="docs">
      <aside>
        <SearchForm words="" />
        <nav aria-label="Documentation">
          <ul>
            {parts.map(([part, name]) => (
              <li key={part}>
                <a href={`/docs/${part}`} aria-current={page.href === `/docs/${part}` ? 'page' : undefined}>
                  {name}
                </a>
                {page.part === part && <PagesOf part={part} page={page} pages={pages} />}
              </li>
            ))}
          </ul>
        </nav>
      </aside>
      {/* Rendered from the program's own files, with raw HTML escaped. */}
      <article dangerouslySetInnerHTML={{ __html: page.html }} />
    </div>
  );
}

function PagesOf({ part, page, pages }: { part: string; page: DocsPage; pages: readonly DocsPage[] }) {
  return (
    <ul>
      {pages
        .filter((other) => other.part === part && other.href !== `/docs/${part}`)
        .map(({ href, title }) => (
          <li key={href}>
            <a href={href} aria-current={href === page.href ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
    </ul>
  );
}

function SearchForm({ words }: { words: string }) {
  return (
    <search>
      <form class="filters" action="/docs/search" autocomplete="off">
        <label>
          Search the documentation
          <input type="search" name="q" value={words} required />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

function Results({ words, found }: { words: string; found: readonly Found[] }) {
  return (
    <div class="docs">
      <aside>
        <SearchForm words={words} />
      </aside>
      <article>
        <h1>{words === '' ? 'Search' : `Search: ${words}`}</h1>
        {words !== '' && found.length === 0 && (
          <p>
            No section has these words. Try fewer, or begin at <a href="/docs">the first page</a>.
          </p>
        )}
        <ol class="found">
          {found.map(({ href, page, heading, text }) => (
            <li key={href}>
              <a href={href}>{heading === page ? page : `${page}: ${heading}`}</a>
              <p>{text.length > 200 ? `${text.slice(0, 200).replace(/\s\S*$/, '')} …` : text}</p>
            </li>
          ))}
        </ol>
      </article>
    </div>
  );
}
