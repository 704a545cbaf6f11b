import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A static file. Its path contains a hash of its content, so that browsers can cache it indefinitely. */
export interface Asset {
  readonly path: `/${string}`;
  readonly type: string;
  readonly content: string | Buffer;
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', woff2: 'font/woff2' };

function assetOf(name: string, content: string | Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const [stem, ending = ''] = name.replace('.client', '').split('.');
  return { path: `/assets/${stem}.${hash}.${ending}`, type: types[ending as keyof typeof types], content };
}

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const figtree = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';

export const font = assetOf('figtree.woff2', readFileSync(createRequire(import.meta.url).resolve(figtree)));
export const stylesheet = assetOf('explorer.css', textOf('explorer.css').replace('figtree.woff2', font.path));
/** Script of every page: theme, and values of charts. */
export const explorerScript = assetOf('explorer.client.js', textOf('explorer.client.js'));

export const assets: readonly Asset[] = [font, stylesheet, explorerScript];

/** Only resources of this server, and no inline scripts; by default no inline styles either. */
export const contentSecurityPolicy = (styles = '', base = "'none'"): string =>
  [
    "default-src 'none'",
    `style-src 'self' ${styles}`.trim(),
    "script-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `base-uri ${base}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
