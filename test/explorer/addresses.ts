import type { ExplorerBook } from './explorer-book.ts';

/**
 * Addresses at which each page is looked at, by its path; a page that is not here is looked at as it is without parameters. More than
 * one where a page has quite different views.
 */
export const addresses: Readonly<Record<string, (book: ExplorerBook) => Promise<readonly string[]>>> = {};
