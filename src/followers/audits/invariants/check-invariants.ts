import type { Database, Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { invariants } from './index.ts';
import type { Invariant } from './invariant.ts';

/** A violated invariant. */
export interface Violation {
  readonly group: string;
  readonly says: string;
  readonly isAtRest: boolean;
  readonly found: number;
  /** Some of the violating rows as JSON. */
  readonly samples: readonly string[];
}

/** Number of invariants and violations, read from one snapshot without writing. */
export async function checkInvariants(db: Database): Promise<{ checked: number; violations: Violation[] }> {
  return db.tx(
    async (tx) => {
      // Window functions over whole histories would exceed the default of 4 MB and use temporary files.
      await tx.query(`set local work_mem = '64MB'`);
      return { checked: Object.values(invariants).flat().length, violations: await findViolations(tx) };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Invariants violated in a transaction's snapshot. */
export async function findViolations(sql: Queryable): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const [group, promises] of Object.entries(invariants)) {
    for (const promise of promises) {
      const violation = await check(sql, group, promise);
      if (violation) violations.push(violation);
    }
  }
  return violations;
}

const samplesShown = 3;

async function check(
  tx: Queryable,
  group: string,
  { says, sql, isAtRest = false }: Invariant,
): Promise<Violation | null> {
  const rows = await rowsOf<{ found: number; sample: string }>(
    tx,
    `with broken as materialized (${sql})
     select (select count(*) from broken) as found, row_to_json(broken)::text as sample
     from broken limit ${samplesShown}`,
  );
  if (rows.length === 0) return null;
  return { group, says, isAtRest, found: rows[0]!.found, samples: rows.map(({ sample }) => sample) };
}
