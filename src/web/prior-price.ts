import { type Sql, sql } from '../questions/sql.ts';
import { dayAndMonth, money, share, unsnaked } from './words.ts';

/** A promotion and its prior price; null if it was not checked. */
export interface PriorPrice {
  readonly currency: string;
  readonly reduced_price: string | null;
  readonly reference_price: string | null;
  /** Saving that the offer claims, and that from the prior price; percent. */
  readonly stated_percent: string | null;
  readonly real_pct: string | null;
  readonly prior_price: string | null;
  readonly prior_nights_known: number | null;
  readonly prior_nights_needed: number | null;
  readonly verdict_label: string | null;
  readonly prior_price_reason: string | null;
  /** For a fail: the last certified night of the 30 days before on which the product had the prior price. */
  readonly prior_price_on: string | null;
}

/** Verdicts on offers; an unchecked one announces nothing that could be checked. */
export const verdicts = {
  real: { mark: '✓ ', name: 'real' },
  overstated: { mark: '✕ ', name: 'overstated' },
  'no-reduction': { mark: '✕ ', name: 'no reduction' },
  early: { mark: '', name: 'too early to tell' },
  unchecked: { mark: '', name: 'nothing to check' },
} as const;

export type Verdict = keyof typeof verdicts;

/** Verdict by `verdict_label` of fct_promotion_check. */
export function verdictOf(label: string | null): Verdict {
  const known = Object.entries(verdicts).find(([, { name }]) => name === label);
  return (known?.[0] ?? 'unchecked') as Verdict;
}

/** `says 22%, is 6%`; the verdict's name if the offer states no percentage. */
export function verdictNumbers(verdict: Verdict, statedPct: string | null, realPct: string | null): string {
  const { mark, name } = verdicts[verdict];
  if (realPct === null || verdict === 'unchecked' || verdict === 'early') return `${mark}${name}`;
  if (verdict === 'real') return `${mark}${share(realPct)} less`;
  const real = Number(realPct) > 0 ? share(realPct) : '0%';
  if (statedPct === null || share(statedPct) === real) return `${mark}${name}`;
  return `${mark}says ${share(statedPct)}, is ${real}`;
}

/** The numbers that decided the verdict, as a sentence. */
export function verdictSentence(row: PriorPrice): string {
  const prior = money(row.prior_price, row.currency);
  switch (verdictOf(row.verdict_label)) {
    case 'real':
      return `${prior} was the lowest price of the 30 nights before.`;
    case 'early':
      return `${row.prior_nights_known} of the ${row.prior_nights_needed} nights before are known.`;
    case 'unchecked':
      return `Nothing to check: ${unsnaked(row.prior_price_reason ?? 'no promotion')}.`;
    default: {
      const on = row.prior_price_on === null ? '' : ` on ${dayAndMonth(row.prior_price_on)}`;
      return `It cost ${prior}${on}: ${whyItFails(row)}.`;
    }
  }
}

/** `5 for £10 is £2 each`, of a deal on several; null: another offer. */
export function eachOf(description: string, shelf: string | null, currency: string) {
  const [, count, price, others] =
    /\b(\d+) for (?:[£€](\d+(?:\.\d+)?)|(\d+)\b(?!\s*(?:g|kg|ml|l|p)\b))/i.exec(description) ?? [];
  const pays = price === undefined ? Number(others) * Number(shelf) : Number(price);
  if (count === undefined || shelf === null || !(pays > 0) || Number(count) < 2) return null;
  const each = pays / Number(count);
  const saving = 100 * (1 - each / Number(shelf));
  const one = `${money(shelf, currency)} for one`;
  const words = saving > 0.05 ? `${share(saving)} less than ${one}` : `not less than ${one}`;
  return { each, sentence: `If you take ${count}, ${money(each.toFixed(2), currency)} each: ${words}.` };
}

/** What an offer saves those who had a price for members before, or what one that fails saves; '' for other offers. */
export function savingSentence(row: PriorPrice & { readonly prior_member_price: string | null }): string {
  const verdict = verdictOf(row.verdict_label);
  const { prior_member_price: members, reduced_price: reduced, currency } = row;
  if (members !== null && reduced !== null && Number(members) < Number(row.prior_price)) {
    const saves = 100 * (1 - Number(reduced) / Number(members));
    return ` Before the offer members had paid ${money(members, currency)}, so it saves them ${
      saves > 0 ? share(saves) : 'nothing'
    }.`;
  }
  if (verdict !== 'overstated' && verdict !== 'no-reduction') return '';
  const on = row.prior_price_on === null ? '' : ` (${dayAndMonth(row.prior_price_on)})`;
  const real = Number(row.real_pct) > 0 ? share(row.real_pct) : 'nothing';
  const stated = row.stated_percent === null ? real : share(row.stated_percent);
  const saves = stated === real ? `it saves ${real}` : `the offer says ${stated} but saves ${real}`;
  return ` Before the offer it had cost ${money(row.prior_price, row.currency)}${on}, so ${saves}.`;
}

function whyItFails({ currency, reduced_price, reference_price, prior_price }: PriorPrice): string {
  const before = Number(prior_price);
  if (reduced_price !== null && Number(reduced_price) >= before) return `${money(reduced_price, currency)} is not less`;
  if (reference_price !== null && Number(reference_price) > before)
    return `the offer compares with ${money(reference_price, currency)}`;
  return 'the offer promises more than that saves';
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
