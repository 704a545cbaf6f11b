import type { Database } from '../../src/db/client.ts';
import { noteNights } from '../../src/publish/night-changes.ts';
import { derive } from '../support/derive.ts';
import { insert, runRow } from '../support/insert.ts';
import { readTitles } from '../support/read-titles.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';

/** When each run of the little book observed: `n4b` is the second run of 4 March. */
export const at = {
  n1: '2026-03-01T02:00:00Z',
  n2: '2026-03-02T02:00:00Z',
  n3: '2026-03-03T02:00:00Z',
  n4: '2026-03-04T02:00:00Z',
  n4b: '2026-03-04T10:00:00Z',
  n5: '2026-03-05T02:00:00Z',
  n6: '2026-03-06T02:00:00Z',
  noted: '2026-03-06T03:00:00Z',
} as const;

export const keys = { milk: 1, bread: 2, gone: 3, late: 4, tea: 5, irishMilk: 6 } as const;

/**
 * Six British nights, the third uncertified, the fourth crawled twice (certified, then not), an open and an abandoned
 * run after them; one Irish night. Every product has a story of its own, told by its rows.
 */
export async function fillFewNights(sql: Database): Promise<void> {
  await makeSpellsWritable(sql);
  await insert(sql, 'ops.run', [
    run(1, 'uk', '2026-03-01', at.n1, 'complete'),
    run(2, 'uk', '2026-03-02', at.n2, 'complete'),
    run(3, 'ie', '2026-03-02', at.n2, 'complete'),
    run(4, 'uk', '2026-03-03', at.n3, 'partial'),
    run(5, 'uk', '2026-03-04', at.n4, 'complete'),
    run(6, 'uk', '2026-03-04', at.n4b, 'partial'),
    run(7, 'uk', '2026-03-05', at.n5, 'complete_within_tolerance'),
    run(8, 'uk', '2026-03-06', at.n6, 'complete'),
    { ...run(9, 'uk', '2026-03-06', '2026-03-06T12:00:00Z', null), status: 'abandoned' },
    { ...run(10, 'uk', '2026-03-07', '2026-03-07T02:00:00Z', null), status: 'open' },
  ]);
  await insert(sql, 'catalog.product', [
    product(keys.milk, 'uk', '100', { title: 'Whole Milk 2L', brand: 'HILLSIDE', valid_from: at.n5 }),
    product(keys.bread, 'uk', '101', { title: 'Brown Bread 800g' }),
    product(keys.gone, 'uk', '102', { title: 'Summer Squash' }),
    product(keys.late, 'uk', '103', { title: 'Late Plums', first_seen_at: at.n3, valid_from: at.n3 }),
    product(keys.tea, 'uk', '104', { title: 'Green Tea 20s' }),
    product(keys.irishMilk, 'ie', '100', { title: 'Irish Milk 2L', first_seen_at: at.n2, valid_from: at.n2 }),
  ]);
  await insert(sql, 'catalog.product_history', [
    { product_key: keys.milk, valid_from: at.n1, valid_to: at.n3, title: 'Milk Whole 2 Litre' },
    { product_key: keys.milk, valid_from: at.n3, valid_to: at.n5, title: 'Milk Whole 2L' },
  ]);
  await readTitles(sql);
  await insert(sql, 'catalog.price_spell', [
    price(keys.milk, 145, at.n1, at.n2, '0.725'),
    price(keys.milk, 160, at.n2, at.n4b, '0.80'),
    price(keys.milk, 160, at.n4b, at.n5, '0.81'),
    price(keys.milk, 155, at.n5, null, '0.775'),
    price(keys.bread, 100, at.n1, at.n2, null),
    price(keys.bread, null, at.n2, at.n5, null),
    price(keys.bread, 120, at.n5, null, null),
    price(keys.gone, 90, at.n1, null, null),
    price(keys.late, 300, at.n3, null, null),
    price(keys.tea, 275, at.n1, null, null),
    price(keys.irishMilk, 199, at.n2, null, null),
  ]);
  await insert(sql, 'catalog.availability_spell', [
    availability(keys.milk, 'available', at.n1, null),
    availability(keys.bread, 'available', at.n1, at.n2),
    availability(keys.bread, 'unavailable', at.n2, null),
    availability(keys.gone, 'available', at.n1, at.n5),
    availability(keys.gone, 'absent', at.n5, at.n6),
    availability(keys.gone, 'delisted', at.n6, null),
    availability(keys.late, 'available', at.n3, null),
    availability(keys.tea, 'available', at.n1, null),
    availability(keys.irishMilk, 'available', at.n2, null),
  ]);
  await insert(sql, 'catalog.promotion', [
    promotion(1, { loyalty_price_minor: 250, starts_at: '2026-03-02T00:00:00Z', ends_at: '2026-03-05T00:00:00Z' }),
    promotion(2, { loyalty_price_minor: 230 }),
    promotion(3, { kind: 'multibuy', description: 'Any 2 for £5', quantity: 2, deal_price_minor: 500 }),
    promotion(4, { loyalty_price_minor: 210, starts_at: at.n6, ends_at: '2026-03-20T00:00:00Z' }),
    promotion(5, { loyalty_price_minor: 1, ends_at: at.n6 }),
  ]);
  await insert(sql, 'catalog.product_promotion', [
    { product_key: keys.tea, promotion_key: 1, valid_from: at.n1, valid_to: null },
    { product_key: keys.tea, promotion_key: 2, valid_from: at.n2, valid_to: at.n4b },
    { product_key: keys.tea, promotion_key: 3, valid_from: at.n1, valid_to: at.n2 },
    { product_key: keys.tea, promotion_key: 4, valid_from: at.n5, valid_to: null },
    { product_key: keys.tea, promotion_key: 5, valid_from: at.n6, valid_to: null },
  ]);
  await sql.tx((tx) => noteNights(tx, { region: 'uk', from: '2026-03-01', at: new Date(at.noted) }));
  await derive(sql);
}

function run(runId: number, region: string, snapshotDate: string, observedAt: string, verdict: string | null) {
  return runRow(observedAt, {
    run_id: runId,
    region,
    snapshot_date: snapshotDate,
    finished_at: observedAt,
    verdict,
    products_listed: runId * 100,
    products_available: runId * 90,
    requests_spent: runId * 5,
  });
}

function product(productKey: number, region: string, productId: string, more: Record<string, unknown>) {
  const entryHash = '00000000-0000-0000-0000-000000000000';
  return {
    product_key: productKey,
    region,
    product_id: productId,
    is_for_sale: true,
    first_seen_at: at.n1,
    valid_from: at.n1,
    entry_hash: entryHash,
    ...more,
  };
}

function price(productKey: number, minor: number | null, from: string, to: string | null, unitPrice: string | null) {
  return {
    product_key: productKey,
    price_minor: minor,
    valid_from: from,
    valid_to: to,
    unit_price: unitPrice,
    unit_of_measure: unitPrice === null ? null : 'litre',
  };
}

function availability(productKey: number, word: string, from: string, to: string | null) {
  return { product_key: productKey, availability: word, valid_from: from, valid_to: to };
}

function promotion(promotionKey: number, more: Record<string, unknown>) {
  return {
    promotion_key: promotionKey,
    region: 'uk',
    promotion_hash: `00000000-0000-0000-0000-${String(promotionKey).padStart(12, '0')}`,
    description: `Loyalty price ${promotionKey}`,
    offer_type: 'CLUBCARD_PRICING',
    kind: 'loyalty_price',
    ...more,
  };
}
