import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A static file. Its path contains a hash of its content, so that browsers can cache it indefinitely. */
export interface Asset {
  readonly path: `/${string}`;
  readonly type: string;
  readonly text: string;
}

function read(name: string, type: string): Asset {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const [stem, ending] = name.replace('.client', '').split('.');
  return { path: `/assets/${stem}.${hash}.${ending}`, type, text };
}

export const stylesheet = read('explorer.css', 'text/css; charset=utf-8');

export const liveScript = read('live.client.js', 'text/javascript; charset=utf-8');

export const searchScript = read('search.client.js', 'text/javascript; charset=utf-8');

export const assets: readonly Asset[] = [stylesheet, liveScript, searchScript];
