import type { JSX } from 'preact';
import { type Day, dateOf, dayOf } from '../charts/days.ts';
import { Card, Change, Facts } from '../kernel/parts.tsx';
import { type Past, type PastSpell, pastOf } from '../kernel/past-prices.ts';
import { type Offer, priceOf, type Verdict, verdictOf } from '../kernel/verdicts.ts';
import { money, plural, rounded, share, shortDate, unitName } from '../kernel/words.ts';
import { forSale } from './product-charts.tsx';
import { dataOf, type PriceSpell, type ProductPage } from './product-data.ts';

/** Nights that the price is compared with. */
const nightsCompared = 366;

type Priced = Pick<PriceSpell, 'price' | 'loyalty_price' | 'unit_price' | 'unit_of_measure'>;

/** The shelf price, and what those who pay least pay, per unit of a measure if it is given; null: unknown. */
function costOf({ price, loyalty_price: members, unit_price: unit, unit_of_measure }: Priced, per: string | null) {
  const shelf = per === null ? price : unit_of_measure === per ? unit : null;
  if (price === null || shelf === null) return null;
  const paid = Number(shelf) * Math.min(1, Number(members ?? price) / Number(price));
  return { shelf: Number(shelf), paid: Number(paid.toFixed(6)) };
}

/** Answers whether the current price is a good one, against the nights up to the last. */
export async function goodPrice(shown: ProductPage): Promise<JSX.Element | null> {
  const { facts, nights, running: offer, offers, byUnit, changes, spells, out } = await dataOf(shown);
  const { currency } = facts;
  if (nights.length === 0) return null;
  const last = dayOf(nights.at(-1)!);
  // If the pack changed, only prices per unit can be compared.
  const per = changes.length > 0 ? facts.unit_of_measure : null;
  const known = forSale(yearOf(spells, per, last), out);
  const isSold = facts.availability === 'available';
  // Offers that began while it was not for sale are not what it last cost.
  const past = pastOf(known);
  const cost = isSold ? costOf(facts, per) : known.reduce((last, one) => (one.to > last.to ? one : last), known[0]!);
  if (past === null || cost === null) return null;
  const { shelf, paid: now } = cost;
  const format = (value: number) => money(per === null ? value : value.toFixed(2), currency);
  const before = known.find(({ from, to }) => from <= last - 30 && last - 30 < to)?.shelf;
  const [pay, costs] = isSold ? ['pay', 'costs'] : ['last paid', 'last cost'];
  const words = {
    who: now < shelf ? `members ${pay}` : `it ${costs}`,
    each: per === null ? '' : ` per ${unitName(per)}`,
    verdict: verdictOf(offer?.verdict_label ?? null),
  };
  const lowOn = past.low === now && isSold ? 'now' : `on ${shortDate(dateOf(past.lowOn))}`;
  // The whole year is in the facts above them.
  const shorter = [30, 90].filter((span) => span < past.nights);
  const ranges = shorter.map((span) => {
    const range = pastOf(known.map((spell) => ({ ...spell, from: Math.max(spell.from, last + 1 - span) })));
    const { low, high } = range ?? { low: 0, high: 0 };
    return [`In ${span} nights`, range && (low === high ? format(low) : `${format(low)} to ${format(high)}`)] as const;
  });
  const whose = (isOfMembers: boolean, more: string) => <small>{isOfMembers ? `members, ${more}` : more}</small>;
  return (
    <Card
      title={isSold ? 'Is it a good price?' : 'Was its last price a good one?'}
      aside={`against ${plural(past.nights, 'night')} for sale${words.each && `,${words.each}`}`}
    >
      <p class="lead">
        {sentence(past, now, words, format)}
        {byUnit &&
          isSold &&
          ` Members pay ${priceOf(byUnit, byUnit.reduced_price)} now${
            facts.unit_price === null ? '' : `, others ${rounded(Number(facts.unit_price), currency)}`
          }.`}
      </p>
      <Facts
        areLarge
        of={[
          ['Lowest', [`${format(past.low)} `, whose(past.isLowOfMembers, lowOn)]],
          ['Usual (median)', [`${format(past.usual)} `, whose(past.isUsualOfMembers, 'half the nights cost no more')]],
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
  return cycles.length < 2 ? part : `${part}, usually every ${plural(cycle!, 'night')}`;
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
const yearOf = (spells: readonly PriceSpell[], per: string | null, last: Day) =>
  spells.flatMap((spell): PastSpell[] => {
    const cost = costOf(spell, per);
    const to = spell.valid_to === null ? last + 1 : Math.min(dayOf(spell.valid_to), last + 1);
    return cost === null ? [] : [{ ...cost, from: Math.max(dayOf(spell.valid_from), last + 1 - nightsCompared), to }];
  });
