import { badgeWords, verdictOf, verdictSentence } from '../prior-price.ts';
import { Badge } from '../product-table.tsx';
import { dayAndMonth, longDate, text } from '../words.ts';
import type { PromotionSpell } from './product-queries.ts';

export const runningOffer = (promotions: readonly PromotionSpell[]): PromotionSpell | undefined =>
  promotions.find(
    ({ verdict_label, valid_to, has_ended }) => verdict_label !== null && valid_to === null && !has_ended,
  );

/** The running offer that gives members a price per unit, such as per kg. */
export const runningByUnit = (promotions: readonly PromotionSpell[]): PromotionSpell | undefined =>
  promotions.find(
    ({ basis, reduced_price, valid_to, has_ended }) =>
      basis === 'unit_price' && reduced_price !== null && valid_to === null && !has_ended,
  );

/** The verdict on the running offer. */
export function Offer({ of: running, title }: { of: PromotionSpell; title: string | null }) {
  const verdict = verdictOf(running.verdict_label);
  const answers = {
    real: 'The offer is real.',
    overstated: 'The offer promises more than it saves.',
    'no-reduction': 'The offer is no reduction.',
    early: 'It is too early to judge the offer.',
    unchecked: '',
  } as const;
  return (
    <p class={`note ${verdict}`}>
      <strong>{answers[verdict]}</strong> {text(running.description)}: {verdictSentence(running, title)}
      {running.ended_on !== null && ` It ends on ${longDate(running.ended_on)}.`}
    </p>
  );
}

export function Offers({ of: promotions, title }: { of: readonly PromotionSpell[]; title: string | null }) {
  return (
    <ul class="offers">
      {promotions.slice(0, 6).map((row, i) => {
        const verdict = verdictOf(row.verdict_label);
        const until = row.ended_on ?? row.valid_to;
        return (
          <li key={i}>
            <div>
              <strong>{text(row.description)}</strong>
              <p class="sub">
                {dayAndMonth(row.valid_from)} {until === null ? 'until now' : `to ${dayAndMonth(until)}`}:{' '}
                {verdictSentence(row, title)}
              </p>
            </div>
            <span>
              <Badge kind={verdict}>{badgeWords(row, title)}</Badge>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
