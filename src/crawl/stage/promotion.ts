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
  const staged = hashes.map((hash) => promotions.get(hash)!);
  const meanings = staged.map(({ meaning }) => meaning);
  await sql.query(insertPromotions, [
    runId,
    hashes,
    staged.map((p) => p.description),
    staged.map((p) => p.offerType),
    staged.map((p) => p.startsAt),
    staged.map((p) => p.endsAt),
    meanings.map((m) => m.kind),
    meanings.map((m) => m.loyaltyPriceMinor),
    meanings.map((m) => m.loyaltyUnitPrice),
    meanings.map((m) => m.loyaltyUnitMeasure),
    meanings.map((m) => m.quantity),
    meanings.map((m) => m.payQuantity),
    meanings.map((m) => m.dealPriceMinor),
    meanings.map((m) => m.savePercent),
    meanings.map((m) => m.wasPriceMinor),
    meanings.map((m) => m.nowPriceMinor),
    meanings.map((m) => m.savingMinor),
    meanings.map((m) => m.depositMinor),
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
