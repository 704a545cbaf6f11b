import type { JSX } from 'preact';
import { dateOf, dayOf } from '../charts/days.ts';
import { Card, Change, Facts } from '../kernel/parts.tsx';
import { type Past, type PastSpell, pastOf } from '../kernel/past-prices.ts';
import { type Offer, priceOf, type Verdict, verdictOf } from '../kernel/verdicts.ts';
import { money, plural, rounded, share, shortDate, unitName } from '../kernel/words.ts';
import { forSale } from './product-charts.tsx';
import { dataOf, type PriceSpell, type ProductPage } from './product-data.ts';

/** Nights that the price is compared with. */
const nightsCompared = 366;

/** What a spell or the facts say of a price. */
type Priced = Pick<PriceSpell, 'price' | 'loyalty_price' | 'unit_price' | 'unit_of_measure'>;

/** The same with its prices per unit; they are unknown if it has another measure. */
function perUnit<Of extends Priced>(of: Of, measure: string): Of {
  const { price, loyalty_price: members, unit_price: unit } = of;
  if (unit === null || of.unit_of_measure !== measure) return { ...of, price: null, loyalty_price: null };
  const part = members === null || Number(price) === 0 ? null : Number(members) / Number(price);
  return { ...of, price: unit, loyalty_price: part === null ? null : String(Number(unit) * part) };
}

/** Answers whether the current price is a good one, against the nights up to the last. */
export async function goodPrice(shown: ProductPage): Promise<JSX.Element | null> {
  const { facts: given, nights, running: offer, offers, byUnit, changes, spells, availability } = await dataOf(shown);
  const last = nights.at(-1);
  if (last === undefined) return null;
  // If the pack changed, only prices per unit can be compared.
  const per = changes.length > 0 ? given.unit_of_measure : null;
  const facts = per === null ? given : perUnit(given, per);
  const out = availability.flatMap(({ availability: state, valid_from: from, valid_to: to }) =>
    state === 'unavailable' ? [{ from: dayOf(from), to: dayOf(to ?? last) + (to === null ? 1 : 0) }] : [],
  );
  const known = forSale(yearOf(per === null ? spells : spells.map((spell) => perUnit(spell, per)), last), out);
  const past = pastOf(known);
  if (facts.price === null || past === null) {
    return (
      <Card title="Is it a good price?">
        <p>{facts.price === null ? 'No price is known.' : 'It was not for sale on any night that is known.'}</p>
      </Card>
    );
  }
  const format = (value: number) => money(per === null ? value : value.toFixed(2), facts.currency);
  const shelf = Number(facts.price);
  const now = Math.min(shelf, Number(facts.loyalty_price ?? shelf));
  const monthAgo = dayOf(last) - 30;
  const before = known.find(({ from, to }) => from <= monthAgo && monthAgo < to)?.shelf;
  const isSold = facts.availability === 'available';
  const [paid, costs] = isSold ? ['pay', 'costs'] : ['last paid', 'last cost'];
  const words = {
    who: now < shelf ? `members ${paid}` : `it ${costs}`,
    each: per === null ? '' : ` per ${unitName(per)}`,
    verdict: verdictOf(offer?.verdict_label ?? null),
  };
  const lowOn = past.low === now && isSold ? 'now' : `on ${shortDate(dateOf(past.lowOn))}`;
  // The whole year is in the facts above them.
  const shorter = [30, 90].filter((span) => span < past.nights);
  const ranges = shorter.map((span) => {
    const { low, high } = pastOf(
      known.map((spell) => ({ ...spell, from: Math.max(spell.from, dayOf(last) + 1 - span) })),
    )!;
    return [`In ${span} nights`, low === high ? format(low) : `${format(low)} to ${format(high)}`] as const;
  });
  const small = (amount: string, more: string) => (
    <>
      {amount} <small>{more}</small>
    </>
  );
  return (
    <Card
      title="Is it a good price?"
      aside={`against ${plural(past.nights, 'night')} for sale${words.each && `,${words.each}`}`}
    >
      <p class="lead">
        {sentence(past, now, words, format)}
        {byUnit &&
          ` Members pay ${priceOf(byUnit, byUnit.reduced_price)} now${
            facts.unit_price === null ? '' : `, others ${rounded(Number(facts.unit_price), facts.currency)}`
          }.`}
      </p>
      <Facts
        areLarge
        of={[
          ['Lowest', small(format(past.low), `${past.isLowOfMembers ? 'members, ' : ''}${lowOn}`)],
          ['Usual', small(format(past.usual), past.isUsualOfMembers ? 'members' : '')],
          ['Highest', format(past.high)],
          [
            `Shelf price${words.each} in 30 nights`,
            before === undefined ? null : <Change percent={100 * (shelf / before - 1)} />,
          ],
          ...ranges,
          ['On offer', offers.length === 0 ? null : offerWords(offers, nights)],
        ]}
      />
    </Card>
  );
}

/** `34% of 43 nights, usually every 21 nights`: the cycle is the median of the nights between two beginnings. */
function offerWords(offers: readonly Offer[], nights: readonly string[]): string {
  const held = nights.filter((night) =>
    offers.some(({ snapshot_date, ended_on }) => snapshot_date <= night && (ended_on === null || night < ended_on)),
  );
  const begins = [...new Set(offers.map(({ snapshot_date }) => dayOf(snapshot_date)))].sort(
    (one, other) => one - other,
  );
  const cycles = begins.slice(1).map((begin, i) => begin - begins[i]!);
  const cycle = cycles.sort((one, other) => one - other)[cycles.length >> 1];
  const part = `${share((100 * held.length) / nights.length)} of ${plural(nights.length, 'night')}`;
  return cycle === undefined ? part : `${part}, usually every ${plural(cycle, 'night')}`;
}

/** What an offer with this verdict takes back of a price below the usual one. */
const buts: Partial<Record<Verdict, string>> = {
  overstated: ', but by less than the offer promises',
  'no-reduction': ', but no lower than before the offer',
};

/** Whether it is a good price, and why. */
export function sentence(
  { low, usual, usualNights, nights, isLowOfMembers, isUsualOfMembers }: Past,
  now: number,
  { who, each, verdict }: { who: string; each: string; verdict: Verdict },
  format: (value: number) => string,
): string {
  const counted = plural(nights, 'night');
  const but = buts[verdict] ?? '';
  if (nights === 1) return `Too early to tell: ${who} ${format(now)}${each} on the only night known.`;
  const has = isUsualOfMembers ? 'members have paid' : 'it has cost';
  if (usualNights === nights) return `It is the usual price: ${has} ${format(now)}${each} on all of ${counted}.`;
  const lowest = `${format(low)}${isLowOfMembers ? ' for members' : ''}`;
  const forMembers = isUsualOfMembers ? ' for members' : '';
  const against = `${who} ${format(now)}${each}; the usual price${forMembers} is ${format(usual)}`;
  if (now === usual && now === low)
    return `It is the usual price: ${has} ${format(now)}${each} on ${usualNights} of ${counted}, and never less.`;
  if (now <= low) return `Yes${but}: ${against}. It has not been cheaper in ${counted}.`;
  if (now < usual) return `Better than usual${but}: ${against}, and the lowest was ${lowest}.`;
  if (now === usual)
    return `It is the usual price: ${who} ${format(now)}${each}. The lowest in ${counted} was ${lowest}.`;
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
