import { storableText } from './text.ts';

/**
 * Category id of a path of names, root first, spelled exactly as in the taxonomy including surrounding spaces: `b;` and
 * the base64 of `encodeURI` of the names joined with `|`. Lone surrogates become U+FFFD.
 */
export function encodeCategoryId(names: readonly string[]): string {
  const path = names.join('|').replace(/\p{Surrogate}/gu, '\ufffd');
  return `b;${Buffer.from(encodeURI(path), 'latin1').toString('base64')}`;
}

/** Path of names encoded by an id, root first; null if the id is malformed or its names cannot be stored. */
export function decodeCategoryId(categoryId: string): readonly string[] | null {
  const match = /^b;([A-Za-z0-9+/]+={0,2})$/.exec(categoryId);
  if (match === null) return null;
  try {
    const path = decodeURIComponent(Buffer.from(match[1] ?? '', 'base64').toString('latin1'));
    return storableText(path) === path ? path.split('|') : null;
  } catch {
    return null;
  }
}

/** Ids of all levels of a path of names, root first. */
export function categoryIdsOfPath(names: readonly string[]): readonly string[] {
  return names.map((_, index) => encodeCategoryId(names.slice(0, index + 1)));
}

/**
 * Whether an id can be stored: valid text of at most 1,000 bytes. The upstream accepts 300; PostgreSQL indexes up to
 * 2,700.
 */
export function isKeepableCategoryId(categoryId: string): boolean {
  return categoryId !== '' && Buffer.byteLength(categoryId) <= 1_000 && storableText(categoryId) === categoryId;
}
