import { storableText } from './text.ts';

/**
 * The id of the category with this path of names, root first, each exactly as the taxonomy spells it (spaces at the
 * ends included): `b;` and the base64 of `encodeURI` of the names joined with `|`. A lone surrogate, which has no
 * UTF-8, counts as U+FFFD.
 */
export function encodeCategoryId(names: readonly string[]): string {
  const path = names.join('|').replace(/\p{Surrogate}/gu, '\ufffd');
  return `b;${Buffer.from(encodeURI(path), 'latin1').toString('base64')}`;
}

/**
 * The path of names an id encodes, root first; null when it is not such an id, or one of names that cannot be stored.
 */
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

/** Ids of every level of a path of names, root first. */
export function categoryIdsOfPath(names: readonly string[]): readonly string[] {
  return names.map((_, index) => encodeCategoryId(names.slice(0, index + 1)));
}

/**
 * Whether an id can be kept: storable, and at most 1,000 bytes. The upstream takes 300 at most; PostgreSQL indexes no
 * more than 2,700.
 */
export function isKeepableCategoryId(categoryId: string): boolean {
  return categoryId !== '' && Buffer.byteLength(categoryId) <= 1_000 && storableText(categoryId) === categoryId;
}
