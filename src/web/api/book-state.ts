import type { Ask, Nights } from '../../questions/question.ts';
import { allOf, sql } from '../../questions/sql.ts';

/** State of the book, or of its part up to some nights. */
export type BookState = Awaited<ReturnType<typeof readBookState>>;

export async function readBookState(ask: Ask, upTo?: Nights) {
  const { rows } = await ask(sql`
    select region, max(snapshot_date) as night, max(change_seq) as written, max(derived_change_seq) as derived
    from marts.snapshot
    where ${allOf(upTo && sql`snapshot_date <= (${JSON.stringify(upTo)}::jsonb ->> region)::date`)}
    group by region
    order by region desc`);
  const written = Math.max(0, ...rows.map((row) => Number(row['written'])));
  return {
    /** Rises with every night that is written, changed or derived; 0: no night. */
    version: Math.max(written, ...rows.map(({ derived }) => Number(derived))),
    /** The same without what is derived. */
    written,
    /** Last night by region, certified or not. */
    nights: Object.fromEntries(rows.map(({ region, night }) => [region, night])) as Nights,
  };
}
