import { createHash } from 'node:crypto';
import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { type Column, format, headingOf, plain, type Row } from '../../base/format.ts';
import { columnsOf } from '../../questions/columns.ts';
import type { Given, Parameters, Question } from '../../questions/question.ts';
import { productHref } from '../kernel/addresses.ts';

/** Rows of a feed. */
export const rowsOfFeed = 100;

interface Feed {
  readonly question: Question;
  readonly parameters: Given<Parameters>;
  readonly rows: readonly Row[];
  /** Address of the feed, and the server's. */
  readonly href: string;
  readonly base: string;
}

/** The rows as an Atom feed (RFC 4287): an entry each, whose id is that of the row as long as its identity stays. */
export function feedOf({ question, parameters, rows, href, base }: Feed): string {
  const columns = columnsOf(question, ...question.table(parameters));
  const when = [...columns, ...question.columns].find(({ as }) => as === 'date' || as === 'instant');
  const dates = rows.map((row) => instantOf(row, when));
  const entries = rows.map((row, i) => {
    const { region, product_id: id, title } = row;
    const link = typeof region === 'string' && typeof id === 'string' ? productHref(region, id) : href;
    const filled = columns.filter((column) => format(row, column, 'terminal') !== '');
    const words = filled.map((column) => `${headingOf(column)}: ${format(row, column)}`).join('; ');
    return h('entry', null, [
      h('id', {}, `urn:pricebook:${question.name}:${identityOf(row, question.key)}`),
      h('title', {}, typeof title === 'string' ? plain(title) : words.slice(0, 120)),
      h('updated', {}, dates[i] ?? ''),
      h('link', { href: base + link }),
      h('content', { type: 'text' }, words),
    ]);
  });
  const feed = h('feed', { xmlns: 'http://www.w3.org/2005/Atom' }, [
    h('id', {}, base + href),
    h('title', {}, `Pricebook: ${question.about}`),
    h('author', {}, [h('name', {}, 'Pricebook')]),
    h('updated', {}, [...dates].sort().at(-1) ?? new Date(0).toISOString()),
    h('link', { rel: 'self', href: base + href }),
    ...entries,
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderToStaticMarkup(feed)}\n`;
}

const instantOf = (row: Row, column: Column | undefined): string =>
  new Date((row[column?.name ?? ''] ?? 0) as string | Date).toISOString();

const identityOf = (row: Row, names: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(names.map((name) => row[name] ?? null)))
    .digest('hex')
    .slice(0, 20);
