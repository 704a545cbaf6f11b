import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { type RenderedPage, renderMarkdown } from './render.ts';

export interface DocsPage extends RenderedPage {
  readonly href: string;
  /** First folder of its path: `start`, `analyse`, `operate` or `contribute`; empty for the first page. */
  readonly part: string;
}

/** A section that a search found. */
export interface Found {
  readonly href: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The documentation in the order of addresses. */
export interface DocsLibrary {
  readonly pages: ReadonlyMap<string, DocsPage>;
  /** PNG files by address. */
  readonly pictures: ReadonlyMap<string, string>;
  /** Sections with the words, best first; words may be incomplete or misspelt. */
  search(words: string): readonly Found[];
}

const mostFound = 20;
const root = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Reads all pages below `docs`; takes about half a second. */
export function readDocs(): DocsLibrary {
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
  const index = new MiniSearch<Found & { id: string }>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['href', 'page', 'heading', 'text'],
    searchOptions: { boost: { heading: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  for (const { title, sections } of pages.values())
    index.addAll(sections.map((section, i) => ({ ...section, page: title, id: `${section.href} ${i}` })));
  return {
    pages,
    pictures,
    search: (words) => index.search(words).slice(0, mostFound) as unknown as readonly Found[],
  };
}
