import type { Ask } from '../questions/question.ts';
import { sql } from '../questions/sql.ts';

/** What the book holds at a moment. */
export interface BookState {
  /** Rises with every night that is written, changed or derived; 0: no night. */
  readonly version: number;
  /** Last night by region, certified or not. */
  readonly nights: Readonly<Record<string, string>>;
}

const statement = sql`
  select
    region,
    max(snapshot_date) as night,
    max(greatest(change_seq, derived_change_seq)) as version
  from marts.snapshot
  group by region
  order by region desc`;

export async function readBookState(ask: Ask): Promise<BookState> {
  const { rows } = await ask(statement);
  return {
    version: Math.max(0, ...rows.map(({ version }) => Number(version))),
    nights: Object.fromEntries(rows.map(({ region, night }) => [region, night])),
  };
}
