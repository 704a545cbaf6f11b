import { type Sql, sql } from '../questions/sql.ts';
import { money, nothing, text, unsnaked } from './words.ts';

/** A promotion and its prior price; null if it was not checked. */
export interface PriorPrice {
  readonly currency: string;
  readonly reduced_price: string | null;
  readonly reference_price: string | null;
  readonly prior_price: string | null;
  readonly prior_nights_known: number | null;
  readonly prior_nights_needed: number | null;
  readonly prior_price_check: string | null;
  readonly prior_price_reason: string | null;
  /** For a fail: the last certified night of the 30 days before on which the product had the prior price. */
  readonly prior_price_on: string | null;
}

/** Mark and label of each verdict. */
const verdictWords: Readonly<Record<string, string>> = {
  pass: '✓ pass',
  fail: '✗ fail',
  not_enough_nights: '? not enough nights',
};

/** A verdict, or the reason why there is none. */
export function verdict(check: string | null, reason: string | null): string {
  if (check !== null) return verdictWords[check] ?? unsnaked(check);
  return reason === null ? nothing : `not checked: ${unsnaked(reason)}`;
}

/** A verdict with its reason: the prior price, its night and the announced price. */
export function priorPriceWords(row: PriorPrice): string {
  const said = verdict(row.prior_price_check, row.prior_price_reason);
  const prior = money(row.prior_price, row.currency);
  switch (row.prior_price_check) {
    case 'pass':
      return `${said}: below ${prior}, the lowest price of the 30 days before`;
    case 'not_enough_nights':
      return `${said}: ${row.prior_nights_known} of ${row.prior_nights_needed} nights are known`;
    case 'fail': {
      const cost = row.prior_price_on === null ? 'the lowest before it' : `its price on ${row.prior_price_on}`;
      return `${said}: ${whyItFails(row, `${prior}, ${cost}`)}`;
    }
    default:
      return text(said);
  }
}

function whyItFails(row: PriorPrice, prior: string): string {
  const { currency, reduced_price: reduced, reference_price: reference } = row;
  const before = Number(row.prior_price);
  if (reduced !== null && Number(reduced) >= before) {
    return `the reduced price, ${money(reduced, currency)}, is not below ${prior}`;
  }
  if (reference !== null && Number(reference) > before) {
    return `its reference price, ${money(reference, currency)}, is above ${prior}`;
  }
  return `the text promises a larger saving than the one against ${prior}`;
}

/** For a failing row `c` of fct_promotion_check: the last certified night with its prior price. */
export const priorPriceNight: Sql = sql`
        select max(night.snapshot_date) as prior_price_on
        from marts.fct_price_spell spell
        join marts.snapshot night
          on night.region = spell.region and night.snapshot_date >= spell.valid_from
          and (spell.valid_to is null or night.snapshot_date < spell.valid_to)
        where c.prior_price_check = 'fail'
          and spell.region = c.region and spell.product_id = c.product_id
          and case c.basis when 'unit_price' then spell.unit_price else spell.price end = c.prior_price
          and night.certificate in ('complete', 'complete_within_tolerance')
          and night.snapshot_date >= c.series_began_on - 30 and night.snapshot_date < c.series_began_on`;
