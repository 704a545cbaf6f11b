import type { JSX } from 'preact';
import type { PriceSpell, ProductFacts } from '../../questions/product.ts';
import { Change } from '../change.tsx';
import { dateOf, dayOf } from '../charts/days.ts';
import { PriceMeter } from '../charts/spark.tsx';
import { Card } from '../parts.tsx';
import { type Past, type PastSpell, pastOf } from '../past-prices.ts';
import { type PriorPrice, priceOf, type Verdict, verdictOf } from '../prior-price.ts';
import { exactMoney, money, plural, share, shortDate, unitName } from '../words.ts';
import { perUnit } from './pack-words.ts';

/** Nights that the price is compared with. */
const nightsCompared = 366;

/** Answers whether the current price is a good one, against the nights up to `last`. */
export function GoodPrice(props: {
  facts: ProductFacts;
  spells: readonly PriceSpell[];
  last: string;
  offer: PriorPrice | undefined;
  /** Running offer with a price per unit for members. */
  byUnit: PriorPrice | undefined;
  /** Whether the pack changed, so that only prices per unit can be compared. */
  isPerUnit: boolean;
}): JSX.Element {
  const { spells, last, offer, byUnit } = props;
  const measure = props.facts.unit_of_measure;
  const per = props.isPerUnit && measure !== null ? measure : null;
  const facts = per === null ? props.facts : perUnit(props.facts, per);
  const known = yearOf(per === null ? spells : spells.map((spell) => perUnit(spell, per)), last);
  const past = pastOf(known);
  if (facts.price === null || past === null) {
    return (
      <Card title="Is it a good price?">
        <p>No price is known.</p>
      </Card>
    );
  }
  const format = (value: number) => money(per === null ? value : value.toFixed(2), facts.currency);
  const shelf = Number(facts.price);
  const now = Math.min(shelf, Number(facts.loyalty_price ?? shelf));
  const monthAgo = dayOf(last) - 30;
  const before = known.find(({ from, to }) => from <= monthAgo && monthAgo < to)?.shelf;
  const but = offer === undefined ? '' : (buts[verdictOf(offer.verdict_label)] ?? '');
  const words = {
    who: now < shelf ? 'members pay' : 'it costs',
    each: per === null ? '' : ` per ${unitName(per)}`,
    but,
  };
  return (
    <Card
      title="Is it a good price?"
      aside={`against ${plural(past.nights, 'night')}${words.each && `,${words.each}`}`}
    >
      <p class="lead">
        {sentence(past, now, words, format)}
        {byUnit &&
          ` Members pay ${priceOf(byUnit, byUnit.reduced_price)} now${
            facts.unit_price === null ? '' : `, others ${exactMoney(facts.unit_price, facts.currency)}`
          }.`}
      </p>
      {past.low < past.high && (
        <PriceMeter low={past.low} high={Math.max(past.high, now)} usual={past.usual} now={now} format={format} />
      )}
      <dl class="stats">
        <div>
          <dt>Lowest</dt>
          <dd>
            {format(past.low)}{' '}
            <small>
              {past.isLowOfMembers && 'members, '}
              {past.low === now ? 'now' : `on ${shortDate(dateOf(past.lowOn))}`}
            </small>
          </dd>
        </div>
        <div>
          <dt>Usual</dt>
          <dd>
            {format(past.usual)} {past.isUsualOfMembers && <small>members</small>}
          </dd>
        </div>
        <div>
          <dt>Highest</dt>
          <dd>{format(past.high)}</dd>
        </div>
        {before !== undefined && (
          <div>
            <dt>Shelf price{words.each} in 30 nights</dt>
            <dd>
              <Change percent={100 * (shelf / before - 1)} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}

/** What an offer with this verdict takes back of a price below the usual one. */
const buts: Partial<Record<Verdict, string>> = {
  overstated: ', but by less than the offer promises',
  'no-reduction': ', but no lower than before the offer',
};

function sentence(
  { low, high, usual, usualNights, nights, isLowOfMembers, isUsualOfMembers }: Past,
  now: number,
  { who, each, but }: { who: string; each: string; but: string },
  format: (value: number) => string,
): string {
  const counted = plural(nights, 'night');
  if (nights === 1) return `Too early to tell: ${who} ${format(now)}${each} on the only night known.`;
  const has = isUsualOfMembers ? 'members have paid' : 'it has cost';
  if (low === high) return `It is the usual price: ${has} ${format(now)}${each} on all of ${counted}.`;
  const lowest = `${format(low)}${isLowOfMembers ? ' for members' : ''}`;
  const forMembers = isUsualOfMembers ? ' for members' : '';
  const against = `${who} ${format(now)}${each}; the usual price${forMembers} is ${format(usual)}`;
  if (now === usual && now === low)
    return `It is the usual price: ${has} ${format(now)}${each} on ${usualNights} of ${counted}, and never less.`;
  if (now <= low) return `Yes${but}: ${against}. It has not been cheaper in ${counted}.`;
  if (now < usual) return `Better than usual${but}: ${against}, and the lowest was ${lowest}.`;
  if (now === usual) return `It is the usual price${each}. The lowest in ${counted} was ${lowest}.`;
  return `No: ${who} ${share(100 * (now / usual - 1))} more${each} than the usual ${format(usual)}.`;
}

/** Prices of the last year, up to the night `last`. */
function yearOf(spells: readonly PriceSpell[], last: string): PastSpell[] {
  const end = dayOf(last) + 1;
  return spells.flatMap(({ price, loyalty_price, valid_from, valid_to }) => {
    if (price === null) return [];
    const from = Math.max(dayOf(valid_from), end - nightsCompared);
    const to = Math.min(valid_to === null ? end : dayOf(valid_to), end);
    return [{ from, to, shelf: Number(price), paid: Math.min(Number(price), Number(loyalty_price ?? price)) }];
  });
}
