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
  const [texts, pictures] = ['.md', '.png'].map((ending) => paths.filter((path) => path.endsWith(ending)));
  const hrefOf = (path: string) =>
    paths.includes(path) ? `/docs/${path.replace(/(^|\/)README\.md$|\.md$/, '')}`.replace(/\/$/, '') : null;
  const pageOf = (path: string): DocsPage => {
    const rendered = renderMarkdown(readFileSync(join(root, path), 'utf8'), { path, hrefOf });
    return { ...rendered, href: hrefOf(path)!, part: path.includes('/') ? path.split('/')[0]! : '' };
  };
  return {
    pages: new Map(texts!.map((path) => [hrefOf(path)!, pageOf(path)])),
    pictures: new Map(pictures!.map((path) => [hrefOf(path)!, join(root, path)])),
  };
}
