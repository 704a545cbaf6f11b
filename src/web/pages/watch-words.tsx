import type { JSX } from 'preact';
import { type WatchRule, watchRules } from '../../base/model/watch-rule.ts';
import type { Delivery } from '../../followers/watches/watch-lists.ts';
import { verdictOf } from '../prior-price.ts';
import { Badge, isLowest } from '../product-table.tsx';
import { exactMoney, money, plural, share, text } from '../words.ts';
import type { CameTrue, Rule } from './watch-queries.ts';

/** Choices of the form; `falls` is kept as `below`, with the amount that the price would fall to. */
export const formRules = ['below', 'falls', ...watchRules.slice(1)] as const;

/** `a year`, or fewer nights if the prices of no more are known. */
export const nightsWords = (nights: number): string => (nights < 365 ? plural(nights, 'night') : 'a year');

/** What a rule waits for, after “when”. */
export const rules = (nights: number): Readonly<Record<WatchRule | 'falls', string>> => ({
  below: 'it costs at most',
  falls: 'it becomes cheaper by',
  lowest: `it is the cheapest in ${nightsWords(nights)}`,
  back: 'it is back in stock',
  shrank: 'its pack shrinks',
  discount: 'a real discount begins',
});

/** `When it costs at most £1.70`. */
export const ruleWords = ({ rule, amount, currency, nights }: Rule): string =>
  `When ${rules(nights)[rule]}${amount === null ? '' : ` ${exactMoney(amount, currency)}`}`;

/** `weekly-shop` becomes “Weekly shop”. */
export function listName(list: string): string {
  const words = text(list.replaceAll('-', ' '));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What those pay who pay least; null: unknown. */
function paid({ price, loyalty_price: members }: Rule): number | null {
  return price === null ? null : Math.min(Number(price), Number(members ?? price));
}

/** What already holds, in a few words; null: the rule waits. */
export function trueNow(row: Rule): string | null {
  const now = paid(row);
  if (now === null || row.availability !== 'available') return null;
  if (row.rule === 'below' && now <= Number(row.amount)) return `now ${money(now, row.currency)}`;
  if (row.rule === 'lowest' && isLowest(row)) return `cheapest now, ${money(now, row.currency)}`;
  if (row.rule === 'discount' && verdictOf(row.offer_verdict) === 'real')
    return row.offer_real_pct === null ? 'a real discount' : `really ${share(row.offer_real_pct)} less`;
  return null;
}

/** How far a rule is from coming true. */
function waiting(row: Rule): string {
  const now = paid(row);
  if (row.availability !== 'available') return row.availability === 'unavailable' ? 'out of stock' : 'gone';
  if (row.rule === 'back') return 'in stock';
  const least = row.rule === 'below' ? row.amount : row.rule === 'lowest' ? row.lowest_price : null;
  if (now === null || least === null) return 'waiting';
  const above = now - Number(least);
  if (above > 0) return `${money(above, row.currency)} above${row.rule === 'lowest' ? ' the lowest' : ''}`;
  return 'always this price';
}

export function State({ of: row }: { of: Rule }): JSX.Element {
  const now = trueNow(row);
  return (
    <>
      {now === null ? <Badge>{waiting(row)}</Badge> : <Badge kind="real">✓ {now}</Badge>}
      {row.is_news && <small>since last night</small>}
    </>
  );
}

/** Whether the message with an event went out; empty: none is sent. */
export function sentWords({ sent_at: sent }: CameTrue, { destination }: Delivery): string {
  if (sent !== null) return destination?.kind === 'mail' ? 'e-mail sent' : 'message sent';
  return destination === null ? '' : 'not sent yet';
}
