import type { Promotion } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';

/** Stages promotions, each once per run; sorted, to avoid deadlocks between writers. */
export async function stagePromotions(
  sql: Queryable,
  runId: number,
  promotions: ReadonlyMap<string, Promotion>,
): Promise<void> {
  if (promotions.size === 0) return;
  const hashes = [...promotions.keys()].sort();
  const column = <T>(pick: (promotion: Promotion) => T): T[] => hashes.map((hash) => pick(promotions.get(hash)!));
  await sql.query(insertPromotions, [
    runId,
    hashes,
    column((p) => p.description),
    column((p) => p.offerType),
    column((p) => p.startsAt),
    column((p) => p.endsAt),
    column((p) => p.kind),
    column((p) => p.loyaltyPriceMinor),
    column((p) => p.loyaltyUnitPrice),
    column((p) => p.loyaltyUnitMeasure),
    column((p) => p.quantity),
    column((p) => p.payQuantity),
    column((p) => p.dealPriceMinor),
    column((p) => p.savePercent),
    column((p) => p.wasPriceMinor),
    column((p) => p.nowPriceMinor),
    column((p) => p.savingMinor),
    column((p) => p.depositMinor),
  ]);
}

/** The anti-join avoids row locks in the usual case that the promotion exists. */
const insertPromotions = `
  insert into stage.promotion (
    run_id, promotion_hash, description, offer_type, starts_at, ends_at, kind, loyalty_price_minor,
    loyalty_unit_price, loyalty_unit_measure, quantity, pay_quantity, deal_price_minor, save_percent, was_price_minor,
    now_price_minor, saving_minor, deposit_minor)
  select $1, p.*
  from unnest(
    $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::int[], $9::numeric[],
    $10::text[], $11::smallint[], $12::smallint[], $13::int[], $14::numeric[], $15::int[], $16::int[], $17::int[],
    $18::int[]) as p (promotion_hash)
  where not exists (select from stage.promotion s where s.run_id = $1 and s.promotion_hash = p.promotion_hash)
  order by p.promotion_hash
  on conflict do nothing`;
