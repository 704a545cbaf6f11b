import type { CheckFinding } from '../../../base/model/index.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { type Answer, type Check, findingOf } from './define-check.ts';
import { duplicateGtin } from './duplicate-gtin.ts';
import { fieldCoverage } from './field-coverage.ts';
import { priceJump } from './price-jump.ts';
import { priceLevel } from './price-level.ts';
import { promotionDates } from './promotion-dates.ts';
import { promotionsGone } from './promotions-gone.ts';
import { regionMixUp } from './region-mix-up.ts';
import { unitPrice } from './unit-price.ts';
import { unreadableFields } from './unreadable-fields.ts';

/** All checks, in the order of their findings. */
export const checks: readonly Check[] = [
  priceJump,
  priceLevel,
  unitPrice,
  regionMixUp,
  ...fieldCoverage,
  ...unreadableFields,
  promotionsGone,
  duplicateGtin,
  promotionDates,
];

/** Runs all checks on the night's winners, in one statement. */
export async function examine(tx: Queryable): Promise<CheckFinding[]> {
  const asked: string[] = [];
  for (const { sql } of checks) asked.push(`(select to_jsonb(answer) from (${sql}) as answer)`);
  const [row] = await rowsOf<{ seen: number; answers: Answer[] }>(
    tx,
    `select (
       select count(*)::int
       from (select product_key from unchanged_observation union select product_key from winner) as product
     ) as seen, jsonb_build_array(${asked.join(', ')}) as answers`,
  );
  return checks.flatMap((check, i) => findingOf(check, row!.answers[i]!, row!.seen) ?? []);
}
