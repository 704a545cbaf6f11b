import { plural } from '../base/format.ts';
import type { RowOf } from '../questions/columns.ts';
import { type Sql, sql } from '../questions/sql.ts';

/** What a verdict means for the data of its night. */
export const meanings = {
  complete: 'All pages were read, and everything that the shop declared was received.',
  complete_within_tolerance:
    'What is missing or was not read is within tolerance, and named here. Such categories report no product as gone.',
  partial: 'Something is missing. What was read is kept, but no product counts as gone, and charts leave a gap.',
} as const;

const names = ['walked', 'pages_planned', 'pages_read', 'pages_failed', 'declared', 'missing', 'seen'] as const;

/** What was requested, declared and received. */
export const evidence = {
  caption: 'What was requested, declared and received',
  columns: names.map((name) => ({ name, as: 'number' }) as const),
  of: (run: number): Sql => sql`
      select count(*)::int as walked, sum(pages_planned)::int as pages_planned, sum(pages_read)::int as pages_read,
        sum(pages_failed)::int as pages_failed, sum(declared_last)::int as declared,
        coalesce(sum(missing_products), 0)::int as missing,
        (select distinct_products from marts.certificate where run_id = ${run}) as seen
      from marts.certificate_category
      where run_id = ${run} and not is_sample`,
};

/** The evidence in words, by name; nothing if no category was requested. */
export function evidenceInWords(row: RowOf<typeof evidence> | undefined): [string, string | null][] {
  if (!row?.walked) return [];
  return [
    ['Requested', `${plural(row.pages_planned!, 'page')} of ${plural(row.walked, 'category', 'categories')}`],
    [
      'Declared',
      row.declared === null
        ? null
        : `${plural(row.declared, 'product')}; a product in several categories counts in each`,
    ],
    ['Received', `${plural(row.pages_read!, 'page')}; ${row.pages_failed} failed`],
    ['Seen', plural(row.seen ?? 0, 'distinct product')],
    ['Missing', plural(row.missing!, 'declared product')],
  ];
}
