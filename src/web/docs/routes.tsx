import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LayoutProps } from '../kernel/layout.tsx';
import { capital } from '../kernel/words.ts';
import { type DocsLibrary, type DocsPage, readDocs } from './library.ts';

const parts = ['start', 'analyse', 'operate', 'contribute'];

type Shown = Pick<LayoutProps, 'title' | 'about' | 'hasOwnHeading' | 'path' | 'children'>;

/** Serves the pages of `docs` under `/docs`. `send` puts a page into the explorer's layout. */
export function serveDocs(server: FastifyInstance, send: (reply: FastifyReply, shown: Shown) => Promise<FastifyReply>) {
  let read: DocsLibrary | null = null;
  const show = (reply: FastifyReply, path: string) => {
    read ??= readDocs();
    const picture = read.pictures.get(path);
    if (picture !== undefined) return reply.type('image/png').send(readFileSync(picture));
    const page = read.pages.get(path);
    if (!page) return reply.callNotFound();
    return send(reply, {
      title: page.title,
      about: page.about,
      hasOwnHeading: true,
      path: '/docs',
      children: <Reading page={page} pages={[...read.pages.values()]} />,
    });
  };
  server.get('/docs', (_request, reply) => show(reply, '/docs'));
  server.get<{ Params: { '*': string } }>('/docs/*', ({ params }, reply) =>
    show(reply, `/docs/${params['*'].replace(/\/$/, '')}`),
  );
}

function Reading({ page, pages }: { page: DocsPage; pages: readonly DocsPage[] }) {
  const ofPart = pages.find(({ href }) => href === `/docs/${page.part}`)?.html ?? '';
  const place = ({ href }: DocsPage) => ofPart.indexOf(`href="${href}"`);
  const [heading = '', text = page.html] = page.html.split(/(?<=<\/h1>)/);
  // Rendered from the program's own files, with raw HTML escaped.
  return (
    <div class="docs">
      <header dangerouslySetInnerHTML={{ __html: heading }} />
      <aside>
        <details class="filterbar">
          <summary>Contents</summary>
          {page.sections.length > 2 && page.part !== '' && (
            <nav aria-label="On this page">
              <h2>On this page</h2>
              <ul>
                {page.sections.map(({ href, heading }) => (
                  <li key={href}>
                    <a href={href}>{heading}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          <nav aria-label="Documentation">
            <ul>
              {parts.map((part) => (
                <li key={part}>
                  <a href={`/docs/${part}`} aria-current={page.href === `/docs/${part}` ? 'page' : undefined}>
                    {capital(part)}
                  </a>
                  {page.part === part && (
                    <ul>
                      {pages
                        .filter((other) => other.part === part && other.href !== `/docs/${part}`)
                        .sort((one, other) => place(one) - place(other))
                        .map(({ href, title }) => (
                          <li key={href}>
                            <a href={href} aria-current={href === page.href ? 'page' : undefined}>
                              {title}
                            </a>
                          </li>
                        ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </nav>
        </details>
      </aside>
      <article dangerouslySetInnerHTML={{ __html: page.part === '' ? inCards(text) : text }} />
    </div>
  );
}

/** The first page, with its parts beside each other. */
function inCards(html: string): string {
  const [head, ...parts] = html.split(/(?=<h2)/);
  return `${head}<div class="cards">${parts.map((part) => `<section class="card">${part}</section>`).join('')}</div>`;
}
