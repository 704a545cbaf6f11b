import type { JSX } from 'preact';
import { type Day, dateOf, dayOf } from '../charts/days.ts';
import { spans } from '../kernel/blocks.tsx';
import { Card } from '../kernel/parts.tsx';
import { type Past, type PastSpell, pastOf } from '../kernel/past-prices.ts';
import { Table } from '../kernel/table.tsx';
import { type Offer, type Verdict, verdictOf } from '../kernel/verdicts.ts';
import { money, plural, share, shortDate, unitName } from '../kernel/words.ts';
import { forSale } from './product-charts.tsx';
import { dataOf, type PriceSpell, type ProductPage } from './product-data.ts';

/** Nights that the price is compared with. */
const nightsCompared = 366;

type Priced = Pick<PriceSpell, 'price' | 'loyalty_price' | 'unit_price' | 'unit_of_measure'>;

/**
 * The shelf price, and what those who pay least pay, per unit of a measure if it is given; offers may give members a
 * price per unit. Null: unknown.
 */
function costOf(of: Priced, per: string | null, offers: readonly Offer[]) {
  const { price, loyalty_price: members, unit_price: unit, unit_of_measure } = of;
  const shelf = per === null ? price : unit_of_measure === per ? unit : null;
  if (price === null || shelf === null) return null;
  const paid = Number(shelf) * Math.min(1, Number(members ?? price) / Number(price));
  const offered = offers.filter((row) => row.unit_of_measure === per).map((row) => Number(row.reduced_price));
  return { shelf: Number(shelf), paid: Math.min(Number(paid.toFixed(6)), ...offered) };
}

/** Whether an offer was in effect on a night. */
const isHeld = ({ snapshot_date, ended_on }: Offer, night: string) =>
  snapshot_date <= night && (ended_on === null || night < ended_on);

/** Answers whether the current price is a good one, against the nights up to the last. */
export async function goodPrice(shown: ProductPage): Promise<JSX.Element | null> {
  const { facts, nights, running: offer, offers, byUnit, per, spells, out } = await dataOf(shown);
  const { currency } = facts;
  if (nights.length === 0) return null;
  const last = dayOf(nights.at(-1)!);
  const offersOn = (day: Day) => byUnit.filter((offer) => isHeld(offer, dateOf(day)));
  const known = forSale(yearOf(spells, per, offersOn, last), out);
  const isSold = facts.availability === 'available';
  // Offers that began while it was not for sale are not what it last cost.
  const past = pastOf(known);
  const cost = isSold
    ? costOf(facts, per, offersOn(last))
    : known.reduce((last, one) => (one.to > last.to ? one : last), known[0]!);
  if (past === null || cost === null) return null;
  const { shelf, paid: now } = cost;
  const format = (value: number) => money(per === null ? value : value.toFixed(2), currency);
  const [pay, costs] = isSold ? ['pay', 'costs'] : ['last paid', 'last cost'];
  const words = {
    who: now < shelf ? `members ${pay}` : `it ${costs}`,
    each: per === null ? '' : ` per ${unitName(per)}`,
    verdict: verdictOf(offer?.verdict_label ?? null),
  };
  const first = Math.min(...known.map(({ from }) => from));
  const ranges = [...Object.values(spans).filter((nights) => nights < last + 1 - first), last + 1 - first];
  return (
    <Card
      title={isSold ? 'Is it a good price?' : 'Was its last price a good one?'}
      aside={`against ${plural(past.nights, 'night')} for sale${words.each && `,${words.each}`}`}
    >
      <p class="lead">{sentence(past, now, words, format)}</p>
      <Table
        caption="Lowest, usual and highest price"
        columns={['In the last', 'Lowest', 'Usual (median)', 'Highest'].map((name) => ({ name }))}
        rows={ranges.flatMap((nights) => {
          const all = known.filter(({ from }) => from > last - nights);
          const row = (name: string, part: Past | null) => ({
            'In the last': name,
            Lowest: part && `${format(part.low)}, ${shortDate(dateOf(part.lowOn))}`,
            'Usual (median)': part && format(part.usual),
            Highest: part && format(part.high),
          });
          const [shelf, paid] = [pastOf(all.map((night) => ({ ...night, paid: night.shelf }))), pastOf(all)];
          const counted = plural(nights, 'night');
          return [row(counted, shelf), ...(paid?.hasMembers ? [row(`${counted}, with a card`, paid)] : [])];
        })}
      />
      {offers.length > 0 && <p>{onOffer(offers, known)}</p>}
    </Card>
  );
}

/** `On offer on 34% of 43 nights, usually every 21 nights.`: the median of the nights between two beginnings. */
function onOffer(offers: readonly Offer[], nights: readonly PastSpell[]) {
  const held = nights.filter(({ from }) => offers.some((offer) => isHeld(offer, dateOf(from))));
  const begins = [...new Set(offers.map(({ snapshot_date }) => dayOf(snapshot_date)))].sort(
    (one, other) => one - other,
  );
  const cycles = begins.slice(1).map((begin, i) => begin - begins[i]!);
  const cycle = cycles.sort((one, other) => one - other)[cycles.length >> 1];
  const often = cycles.length < 2 ? '' : `, usually every ${plural(cycle!, 'night')}`;
  return `On offer on ${share((100 * held.length) / nights.length)} of ${plural(nights.length, 'night')}${often}.`;
}

/** What an offer with this verdict takes back of a price below the usual one. */
const buts: Partial<Record<Verdict, string>> = {
  overstated: ', but by less than the offer promises',
  'no-reduction': ', but no lower than before the offer',
};

/** Whether it is a good price, and why. */
export function sentence(
  { low, usual, usualNights, nights, hasMembers }: Past,
  now: number,
  { who, each, verdict }: { who: string; each: string; verdict: Verdict },
  format: (value: number) => string,
): string {
  const counted = plural(nights, 'night');
  const but = buts[verdict] ?? '';
  if (nights === 1) return `Too early to tell: ${who} ${format(now)}${each} on the only night known.`;
  const card = hasMembers ? ' with a card' : '';
  const has = `It is the usual price: it has cost ${format(now)}${each}${card}`;
  if (usualNights === nights) return `${has} on all of ${counted}.`;
  const against = `${who} ${format(now)}${each}; the usual price${card} is ${format(usual)}`;
  if (now === usual && now === low) return `${has} on ${usualNights} of ${counted}, and never less.`;
  if (now <= low) return `Yes${but}: ${against}. It has not been cheaper in ${counted}.`;
  if (now < usual) return `Better than usual${but}: ${against}, and the lowest was ${format(low)}.`;
  if (now === usual)
    return `It is the usual price: ${who} ${format(now)}${each}. The lowest${card} in ${counted} was ${format(low)}.`;
  return `No: ${who} ${share(100 * (now / usual - 1))} more${each} than the usual ${format(usual)}${card}.`;
}

/** Prices of the last year, night by night up to the night `last`. */
const yearOf = (spells: readonly PriceSpell[], per: string | null, offersOn: (day: Day) => Offer[], last: Day) =>
  spells.flatMap((spell): PastSpell[] => {
    const first = Math.max(dayOf(spell.valid_from), last + 1 - nightsCompared);
    const end = spell.valid_to === null ? last + 1 : Math.min(dayOf(spell.valid_to), last + 1);
    return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i).flatMap((from) => {
      const cost = costOf(spell, per, offersOn(from));
      return cost === null ? [] : [{ ...cost, from, to: from + 1 }];
    });
  });
