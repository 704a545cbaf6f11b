import { lastDerived } from '../../questions/certified.ts';
import { lookedUp, type RowOf } from '../../questions/columns.ts';
import { promotions } from '../../questions/promotions.ts';
import { sql } from '../../questions/sql.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { added, withColumns } from './page.ts';
import { dayAndMonth, money, share, unitName } from './words.ts';

/** For a failing offer: the last certified night of the 30 before on which anyone paid the compared price. */
const comparedOn = sql`(
      select max(night.snapshot_date)
      from (select * from marts.fct_price_spell where product_key = asked.product_key offset 0) as spell
      join marts.snapshot night
        on night.region = spell.region and night.snapshot_date >= spell.valid_from
        and (spell.valid_to is null or night.snapshot_date < spell.valid_to)
      where asked.verdict_label in ('overstated', 'no reduction')
        and round(
          case asked.basis when 'unit_price' then spell.unit_price else least(spell.price, spell.loyalty_price) end, 2
        ) = asked.compared_price
        and night.certificate in ('complete', 'complete_within_tolerance')
        and night.snapshot_date >= asked.series_began_on - 30 and night.snapshot_date < asked.series_began_on)`;

/** Promotions with what the words of their verdicts need. */
export const judged = withColumns(
  promotions,
  ...lookedUp(
    'p',
    added('has_ended', 'yes-no', sql`(p.ended_on is not null and p.ended_on <= ${lastDerived(sql`asked.region`)})`),
  ),
  added('compared_on', 'date', comparedOn),
);

/** A promotion, what its price is compared with, and the verdict. */
export type Offer = RowOf<typeof judged>;

/** `1 Jun until now`, `1 Jun to 7 Jun`: the last night on which the offer held. */
export function spanWords(row: Pick<Offer, 'snapshot_date' | 'ended_on' | 'availability'>): string {
  const { snapshot_date, ended_on, availability } = row;
  const still = availability === 'available' ? 'until now' : 'and not for sale now';
  const end = ended_on === null ? still : `to ${dayAndMonth(lastNightOf(ended_on))}`;
  return `${dayAndMonth(snapshot_date)} ${end}`;
}

/** The night before a date on which something no longer holds. */
export const lastNightOf = (endedOn: string): string => dateOf(dayOf(endedOn) - 1);

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

/** `looks like 22%, is 6%`; the verdict's name if a number is missing or both are the same. */
export function verdictNumbers(
  verdict: Verdict,
  statedPct: string | null,
  realPct: string | null,
  isInText = false,
): string {
  const { mark, name } = verdicts[verdict];
  if (realPct === null || verdict === 'unchecked' || verdict === 'early') return `${mark}${name}`;
  if (verdict === 'real') return `${mark}${share(realPct)} less`;
  const both = bothNumbers(statedPct, realPct);
  return both === null ? `${mark}${name}` : `${mark}${isInText ? 'says' : 'looks like'} ${both[0]}, is ${both[1]}`;
}

/** Badge of an offer: its verdict, or what a deal on several saves. */
export function badgeWords(row: Offer, title: string | null): string {
  if (row.prior_price_reason === 'nights_missing') return 'nights missing';
  const verdict = verdictOf(row.verdict_label);
  const deal = verdict === 'unchecked' ? dealOf(row, title) : null;
  return deal?.badge ?? verdictNumbers(verdict, row.stated_percent, row.real_pct, isPercentInText(row));
}

const isPercentInText = ({ stated_percent, announced_pct }: Offer) =>
  stated_percent !== null && Number(stated_percent) !== Number(announced_pct ?? Number.NaN);

/** What an offer says and what it saves; null if both are the same, rounded. */
function bothNumbers(statedPct: string | null, realPct: string | null) {
  const real = Number(realPct);
  const is = real <= -1 ? `${share(-real)} dearer` : share(Math.max(0, real));
  return statedPct === null || share(statedPct) === is ? null : ([share(statedPct), is] as const);
}

/** The numbers that decided the verdict, in words. */
export function verdictSentence(row: Offer, title: string | null): string {
  const compared = priceOf(row, row.compared_price);
  const isLater = row.series_began_on !== null && row.began_on !== null && row.series_began_on < row.began_on;
  const series = isLater ? `It continues reductions since ${dayAndMonth(row.series_began_on)}. ` : '';
  switch (row.prior_price_reason === 'nights_missing' ? 'early' : verdictOf(row.verdict_label)) {
    case 'real':
      return `${series}${compared} was the lowest price of the 30 nights before${isLater ? ' them' : ''}.`;
    case 'early': {
      const { prior_nights_known: known, prior_nights_needed: needed } = row;
      const most = row.real_pct === null ? '' : `; it saves ${share(row.real_pct)} at most`;
      return `${known} of the ${needed} nights before ${known === 1 ? 'is' : 'are'} known${most}.`;
    }
    case 'unchecked':
      return dealOf(row, title)?.sentence ?? reasons[row.prior_price_reason ?? ''] ?? 'Nothing can be checked.';
    default: {
      const { prior_price: prior, compared_price: price, compared_on: night, currency } = row;
      if (prior === null) return `The price beside it is ${money(price, currency)}: ${whyItFails(row)}.`;
      const who = Number(price) < Number(prior) ? 'Members paid' : 'It cost';
      const when = `${night === null ? '' : ` on ${dayAndMonth(night)}`}${isLater ? ', before them' : ''}`;
      return `${series}${who} ${compared}${when}: ${whyItFails(row)}.`;
    }
  }
}

/** Why there is no verdict. */
const reasons: Readonly<Record<string, string>> = {
  deal_on_several: 'A deal on several products: what it saves depends on which you take.',
  no_comparable_unit_price: 'The shelf has no price per unit to compare with.',
  no_reduction_stated: 'It does not say that the price was higher before.',
  price_not_stated: 'It names no price to compare.',
  text_not_understood: 'Its text names no price to compare.',
};

/** A deal on several against the price of one: `If you take 5, £2.00 each: 12% less …`; null: another offer. */
export function dealOf(row: Offer, title: string | null): { readonly badge: string; readonly sentence: string } | null {
  if (row.effective_quantity !== null && namesOthers(row.description, title))
    return { badge: 'deal on several', sentence: 'Its text may concern other products than this one.' };
  const { effective_quantity: count, effective_price: each, currency } = row;
  if (count === null || each === null || row.shelf_price === null) return null;
  const saving = 100 * (1 - Number(each) / Number(row.shelf_price));
  const single = `${money(row.shelf_price, currency)} for one when it began`;
  const words = saving > 0.05 ? `${share(saving)} less` : 'not less';
  const sentence = `If you take ${count}, ${money(Number(each).toFixed(2), currency)} each: ${words} than ${single}.`;
  return { badge: saving > 0.05 ? `${share(saving)} less if you take ${count}` : 'no saving', sentence };
}

/** Whether the products that a text names after a dash have no word in common with the title. */
function namesOthers(description: string | null, title: string | null): boolean {
  const [, products = ''] = / [-–—] (.+)$/.exec(description ?? '') ?? [];
  const words = (of: string, least: number) =>
    of
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length >= least && word !== 'selected');
  const [named, own] = [words(products, 4), words(title ?? '', 3)];
  const isLike = (word: string) => own.some((one) => word.startsWith(one) || one.startsWith(word));
  return title !== null && named.length > 0 && !named.some(isLike);
}

function whyItFails(row: Offer): string {
  const { reduced_price: reduced, reference_price: reference, compared_price: compared } = row;
  if (reduced !== null && Number(reduced) >= Number(compared)) return `${priceOf(row, reduced)} is not less`;
  const real = `that is ${share(row.real_pct)} less`;
  if (isPercentInText(row)) return `${real}, and it announces ${share(row.stated_percent)}`;
  return `${real}, and it compares with ${priceOf(row, reference)}`;
}

/** `£0.83 per kg` if a price per unit is compared. */
export function priceOf({ currency, basis, unit_of_measure: unit }: Offer, amount: string | null): string {
  return `${money(amount, currency)}${basis === 'unit_price' ? ` per ${unitName(unit)}` : ''}`;
}
