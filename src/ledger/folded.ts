import type { Askable } from '../db/client.ts';

/** A table of the ledger whose rows of old runs are kept as arrays in the rows of another one. */
export interface Folding {
  readonly table: string;
  readonly fold: string;
  /** Columns that a row of the fold has once. */
  readonly shared: readonly string[];
  /** Columns of which the fold has an array, by the same name, in this order. */
  readonly folded: readonly string[];
  /** Columns of work in progress, which an old run has not: what they are taken to be. */
  readonly forgotten: Readonly<Record<string, string>>;
  /** Order of the rows in the arrays. */
  readonly order: string;
}

const leaseColumns = {
  batch_no: '0',
  worker_id: 'null::uuid',
  lease: '0',
  attempts: '0::smallint',
  queued_at: 'null::timestamptz',
};

export const pageFolding: Folding = {
  table: 'ops.category_page',
  fold: 'ops.page_fold',
  shared: ['run_id', 'category_no'],
  folded: [
    'page_no',
    'reading',
    'status',
    'items_received',
    'distinct_products',
    'rejected',
    'declared_total',
    'payload_sha256',
    'fetched_at',
    'error',
  ],
  forgotten: { ...leaseColumns, seen_keys: 'null::int[]', extra_keys: 'null::int[]' },
  order: 'page_no, reading',
};

export const detailFolding: Folding = {
  table: 'ops.detail_fetch',
  fold: 'ops.detail_fold',
  shared: ['run_id'],
  folded: ['product_id', 'reason', 'status', 'outcome', 'payload_sha256', 'fetched_at', 'error'],
  forgotten: { ...leaseColumns, chance: 'null::real', age_days: 'null::real' },
  order: 'product_id',
};

export const payloadFolding: Folding = {
  table: 'ops.payload',
  fold: 'ops.payload_fold',
  shared: ['run_id', 'listing', 'endpoint', 'host', 'status', 'region'],
  folded: ['payload_id', 'sha256', 'request', 'received_at'],
  forgotten: {},
  order: 'payload_id',
};

export const foldings: readonly Folding[] = [pageFolding, detailFolding, payloadFolding];

/** SQL: the rows of a table as they were before their runs were folded. */
export const unfolded = ({ fold, shared, folded, forgotten }: Folding): string => `
  select ${[...shared.map((name) => `f.${name}`), ...folded.map((name) => `e.${name}`), ...Object.entries(forgotten).map(([name, value]) => `${value} as ${name}`)].join(', ')}
  from ${fold} f cross join lateral unnest(${folded.map((name) => `f.${name}`).join(', ')}) as e (${folded.join(', ')})`;

/** SQL, to select from: all rows of a table, whether or not their runs are folded. */
const everyRow = (folding: Folding): string =>
  `(select ${columnsOf(folding)} from ${folding.table} union all ${unfolded(folding)})`;

export const everyPage = everyRow(pageFolding);
export const everyDetail = everyRow(detailFolding);
export const everyPayload = everyRow(payloadFolding);

/** SQL: the columns of a folding's table. */
export function columnsOf({ shared, folded, forgotten }: Folding): string {
  return [...shared, ...folded, ...Object.keys(forgotten)].join(', ');
}

/**
 * Until the transaction ends, nothing else folds, unfolds or forgets: a payload that one moves is never missed by another.
 * Crawls and publications do not ask for this lock.
 */
export async function holdFolds(sql: Askable): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('pricebook fold'))`);
}

/** Gives runs their rows back, for somebody who is about to write them. */
export async function unfold(sql: Askable, runIds: readonly number[]): Promise<void> {
  await holdFolds(sql);
  for (const folding of foldings) {
    const [first] = folding.folded;
    await sql.query(
      `insert into ${folding.table} (${columnsOf(folding)}) overriding system value
       select * from (${unfolded(folding)}) as u where run_id = any($1)`,
      [runIds],
    );
    await sql.query(`delete from ${folding.fold} where run_id = any($1) and ${first} is not null`, [runIds]);
  }
}
