import type { Store } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { snakeKeys } from '../units.ts';
import { hash16 } from './entry-hash.ts';

/** Stages the stores that circles have shown. */
export async function stageStores(
  tx: Transaction,
  runId: number,
  circles: readonly { readonly unitId: number; readonly stores: readonly Store[] }[],
): Promise<void> {
  // A statement must not write a store twice; the first circle that shows it counts.
  const staged = new Map<string, object>();
  for (const { unitId, stores } of [...circles].sort((a, b) => a.unitId - b.unitId)) {
    for (const store of stores)
      if (!staged.has(store.storeId)) staged.set(store.storeId, { unit_id: unitId, ...stagedForm(store) });
  }
  if (staged.size > 0) await tx.query(insertStores, [runId, JSON.stringify([...staged.values()])]);
}

/** Columns of `catalog.store`. */
function stagedForm({ storeId, ...fields }: Store) {
  return { store_id: storeId, record: { ...snakeKeys(fields), record_hash: hash16([1, Object.values(fields)]) } };
}

const insertStores = `
  insert into stage.store (run_id, store_id, unit_id, record)
  select $1, s.store_id, s.unit_id, s.record
  from jsonb_to_recordset($2::jsonb) as s (store_id text, unit_id bigint, record jsonb)
  order by s.store_id
  on conflict (run_id, store_id) do update
    set unit_id = excluded.unit_id, record = excluded.record
    where store.unit_id > excluded.unit_id`;
