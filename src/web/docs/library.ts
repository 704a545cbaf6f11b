import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RenderedPage, renderMarkdown } from './render.ts';

export interface DocsPage extends RenderedPage {
  readonly href: string;
  /** First folder of its path: `start`, `analyse`, `operate` or `contribute`; empty for the first page. */
  readonly part: string;
}

export type DocsLibrary = ReturnType<typeof readDocs>;

const root = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Reads all pages below `docs`, and where pictures are, in the order of addresses. */
export function readDocs() {
  const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  const paths = files.map((file) => file.replaceAll(sep, '/')).sort();
  const hrefs = new Map<string, string>();
  for (const path of paths) {
    if (path.endsWith('.md'))
      hrefs.set(path, `/docs/${path.replace(/(^|\/)README\.md$|\.md$/, '')}`.replace(/\/$/, ''));
    if (path.endsWith('.png')) hrefs.set(path, `/docs/${path}`);
  }
  const pages = new Map<string, DocsPage>();
  const pictures = new Map<string, string>();
  for (const [path, href] of hrefs) {
    if (path.endsWith('.png')) pictures.set(href, join(root, path));
    else {
      const rendered = renderMarkdown(readFileSync(join(root, path), 'utf8'), {
        path,
        hrefOf: (other) => hrefs.get(other) ?? null,
      });
      pages.set(href, { ...rendered, href, part: path.includes('/') ? path.split('/')[0]! : '' });
    }
  }
  return { pages, pictures };
}
