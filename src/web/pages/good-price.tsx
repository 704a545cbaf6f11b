import type { JSX } from 'preact';
import type { PriceSpell, ProductFacts } from '../../questions/product.ts';
import { Change } from '../change.tsx';
import { dayOf } from '../charts/days.ts';
import { PriceMeter } from '../charts/spark.tsx';
import { Card } from '../parts.tsx';
import { savingSentence } from '../prior-price.ts';
import { money, plural, share, shortDate } from '../words.ts';
import { perUnit } from './pack-words.ts';

/** Nights that the price is compared with. */
const nightsCompared = 366;

/** Nights of a price, for anyone: the members' price where there is one. */
interface Past {
  readonly low: number;
  readonly isLowOfMembers: boolean;
  readonly high: number;
  /** Price on most nights: what members paid if they ever paid less, otherwise the shelf price. */
  readonly usual: number;
  readonly isOfMembers: boolean;
  /** First night of the lowest price. */
  readonly lowOn: string;
  readonly monthAgo: number | null;
  readonly nights: number;
}

/** Answers whether the current price is a good one, against the nights up to `last`. */
export function GoodPrice(props: {
  facts: ProductFacts;
  spells: readonly PriceSpell[];
  last: string;
  offer: Parameters<typeof savingSentence>[0] | undefined;
  /** Whether the pack changed, so that only prices per unit can be compared. */
  isPerUnit: boolean;
}): JSX.Element {
  const { spells, last, offer } = props;
  const measure = props.facts.unit_of_measure;
  const per = props.isPerUnit && measure !== null ? measure : null;
  const facts = per === null ? props.facts : perUnit(props.facts, per);
  const past = pastOf(per === null ? spells : spells.map((spell) => perUnit(spell, per)), last);
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
  const words = { who: now < shelf ? 'members pay' : 'it costs', each: per === null ? '' : ` per ${per}` };
  return (
    <Card
      title="Is it a good price?"
      aside={`against ${plural(past.nights, 'night')}${words.each && `,${words.each}`}`}
    >
      <p class="lead">
        {sentence(past, now, words, format)}
        {offer && savingSentence(offer)}
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
              {past.low === now ? 'now' : `on ${shortDate(past.lowOn)}`}
            </small>
          </dd>
        </div>
        <div>
          <dt>Usual</dt>
          <dd>
            {format(past.usual)} {past.isOfMembers && <small>members</small>}
          </dd>
        </div>
        <div>
          <dt>Highest</dt>
          <dd>{format(past.high)}</dd>
        </div>
        <div>
          <dt>Shelf price{words.each} in 30 nights</dt>
          <dd>
            <Change percent={past.monthAgo === null ? null : 100 * (shelf / past.monthAgo - 1)} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function sentence(
  { low, high, usual, nights, isLowOfMembers, isOfMembers }: Past,
  now: number,
  { who, each }: { who: string; each: string },
  format: (value: number) => string,
): string {
  const counted = plural(nights, 'night');
  if (low === high) return `${isOfMembers ? 'Members have paid' : 'It has cost'} ${format(now)} on all of ${counted}.`;
  const lowest = `${format(low)}${isLowOfMembers ? ' for members' : ''}`;
  const forMembers = isOfMembers ? ' for members' : '';
  const against = `${who} ${format(now)}${each}; the usual price${forMembers} is ${format(usual)}`;
  if (now <= low) return `Yes${now < usual ? `: ${against}` : ''}. It has not been cheaper in ${counted}.`;
  if (now < usual) return `Better than usual: ${against}, and the lowest was ${lowest}.`;
  if (now === usual) return `It is the usual price${each}. The lowest in ${counted} was ${lowest}.`;
  return `No: ${who} ${share(100 * (now / usual - 1))} more${each} than the usual ${format(usual)}.`;
}

function pastOf(spells: readonly PriceSpell[], last: string): Past | null {
  const end = dayOf(last) + 1;
  const known = spells.flatMap(({ price, loyalty_price, valid_from, valid_to }) => {
    const from = Math.max(dayOf(valid_from), end - nightsCompared);
    const to = Math.min(valid_to === null ? end : dayOf(valid_to), end);
    if (price === null || from >= to) return [];
    return [
      {
        shelf: Number(price),
        paid: Math.min(Number(price), Number(loyalty_price ?? price)),
        from,
        to,
        since: valid_from,
      },
    ];
  });
  if (known.length === 0) return null;
  const isOfMembers = known.some(({ shelf, paid }) => paid < shelf);
  const nights = new Map<number, number>();
  for (const { paid, from, to } of known) nights.set(paid, (nights.get(paid) ?? 0) + to - from);
  const lowest = known.reduce((least, spell) => (spell.paid <= least.paid ? spell : least));
  return {
    low: lowest.paid,
    isLowOfMembers: lowest.paid < lowest.shelf,
    lowOn: lowest.since,
    high: Math.max(...known.map(({ paid }) => paid)),
    isOfMembers,
    usual: [...nights].reduce((most, one) => (one[1] > most[1] ? one : most))[0],
    monthAgo: known.find(({ from, to }) => from <= end - 31 && end - 31 < to)?.shelf ?? null,
    nights: known.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}
