import type { Offer } from '../../../src/web/kernel/verdicts.ts';

/** An offer of which nothing is known. */
export const offer: Offer = {
  ...{
    region: 'uk',
    snapshot_date: '2026-06-08',
    product_id: '1',
    title: null,
    kind: 'price',
    availability: 'available',
  },
  ...{ description: 'Any 2 for £3', currency: 'GBP', shelf_price: '2.00', reduced_price: null, reference_price: null },
  ...{ prior_price: null, compared_price: null, compared_on: null, stated_percent: null, announced_pct: null },
  ...{ real_pct: null, verdict_label: null, prior_price_reason: null, prior_nights_known: 30, prior_nights_needed: 30 },
  ...{ began_on: '2026-06-08', series_began_on: '2026-06-08', basis: 'price', unit_of_measure: 'kg', has_ended: false },
  ...{ effective_quantity: null, effective_price: null, loyalty_price: null, unit_price: null, ended_on: null },
  ...{ prior_member_price: null, member_price_check: null, prior_price_check: null },
  ...{ product_key: 1, promotion_key: 1, has_all_nights: true },
};
