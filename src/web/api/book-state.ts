import type { Ask, Nights } from '../../questions/question.ts';
import { allOf, sql } from '../../questions/sql.ts';

/** What the book holds at a moment. */
export interface BookState {
  /** Rises with every night that is written, changed or derived; 0: no night. */
  readonly version: number;
  /** Last night by region, certified or not. */
  readonly nights: Nights;
}

/** State of the book, or of its part up to some nights; `written` is its version without what is derived. */
export async function readBookState(ask: Ask, upTo?: Nights): Promise<BookState & { readonly written: number }> {
  const { rows } = await ask(sql`
    select region, max(snapshot_date) as night, max(change_seq) as written, max(derived_change_seq) as derived
    from marts.snapshot
    where ${allOf(upTo && sql`snapshot_date <= (${JSON.stringify(upTo)}::jsonb ->> region)::date`)}
    group by region
    order by region desc`);
  const written = Math.max(0, ...rows.map((row) => Number(row['written'])));
  return {
    version: Math.max(written, ...rows.map(({ derived }) => Number(derived))),
    written,
    nights: Object.fromEntries(rows.map(({ region, night }) => [region, night])),
  };
}
