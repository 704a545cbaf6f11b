import type { CheckFinding } from '../../../base/model/index.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { type Check, runCheck } from './define-check.ts';
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

/** Runs all checks on the night's winners. */
export async function examine(tx: Queryable): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = [];
  const [all] = await rowsOf<{ seen: number }>(
    tx,
    `select count(*)::int as seen
     from (select product_key from unchanged_observation union select product_key from winner) as product`,
  );
  for (const check of checks) {
    const finding = await runCheck(tx, check, all?.seen ?? 0);
    if (finding) findings.push(finding);
  }
  return findings;
}
