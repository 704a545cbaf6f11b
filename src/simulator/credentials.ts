import type { IncomingHttpHeaders } from 'node:http';

export interface Credentials {
  /** `x-gateway`, `x-rapidapi` …: prefix of `-key` and `-host`. */
  readonly prefix: string;
  readonly key: string | null;
  readonly host: string | null;
}

/** Finds the headers `X-…-Key` and `X-…-Host` with any prefix. */
export function readCredentials(headers: IncomingHttpHeaders): Credentials {
  let prefix = 'x-gateway';
  let key: string | null = null;
  let host: string | null = null;
  for (const name in headers) {
    if (!name.startsWith('x-') || name.startsWith('x-forwarded')) continue;
    const value = headers[name];
    if (typeof value !== 'string' || value === '') continue;
    if (name.endsWith('-key')) key = value;
    else if (name.endsWith('-host')) host = value;
    else continue;
    prefix = name.slice(0, name.lastIndexOf('-'));
  }
  return { prefix, key, host };
}
