import type { Decimal } from './decimal.ts';
import { decimalFromAmount, decimalFromPence, minorFromDecimal } from './money.ts';
import { pattern } from './pattern.ts';

/**
 * Folded promotion text without its container deposit, and the deposit in pence or cents: 15 for `€2.50 clubcard price
 * + €0.15 re-turn deposit`, 120 for `(8 x €0.15)`. Null if no amount is stated.
 */
export function withoutDeposit(text: string): { readonly rest: string; readonly depositMinor: number | null } {
  if (!/\bdeposit|\bdrs\b|\bre-?turn\b/.test(text)) return { rest: text, depositMinor: null };
  let depositMinor: number | null = null;
  const rest = text.replace(depositPattern, (...match) => {
    const groups = match.at(-1) as Record<string, string | undefined>;
    const before = amountOf(groups['before'], groups['times']);
    const after = amountOf(groups['after'], groups['timesAfter']);
    depositMinor ??= before ?? after ?? amountOf(groups['piece'], groups['pieces']);
    return ' ';
  });
  return { rest: rest.replace(/ {2,}/g, ' ').trim(), depositMinor };
}

function amountOf(printed: string | undefined, times = '1'): number | null {
  if (printed === undefined) return null;
  const [, pence] = /^([\d.]+) ?[pc]$/.exec(printed) ?? [];
  const decimal: Decimal | null =
    pence === undefined ? decimalFromAmount(printed.replace(/[£€ ]+/g, '')) : decimalFromPence(pence);
  const minor = decimal === null ? null : minorFromDecimal(decimal);
  return minor === null ? null : minor * Number(times);
}

const amount = '(?:[£€] ?\\d{1,3}(?:[.,]\\d\\d)?|\\d{1,2}(?:[.,]\\d\\d)? ?€|\\d{1,3} ?[pc]\\b)';
const times = (name: string) => `(?:(?<${name}>\\d{1,2}) ?x ?)?`;
/** Ireland's Re-turn and the deposit return schemes (DRS) of the United Kingdom. */
const scheme = '(?:(?:a|the|refundable|container|bottle|can|irish|scottish|re-?turn|drs) ){0,3}';
const deposit = pattern`
  ${scheme}(?:deposits?(?: return)?(?: scheme)?(?: charge| fee| levy)?
  |(?:drs|re-?turn)(?: scheme)?(?: charge| fee| levy)?)\b`;
const beside =
  '(?:\\+|&|,|plus|and|with|incl(?:uding|udes|usive of|\\.)?|inc\\.?|excl(?:uding|udes|usive of|\\.)?|ex\\.?)';
const state = '(?: (?:applies|applied|applicable|extra|included|excluded|not included|payable|added|per \\w+))?';
const depositPattern = new RegExp(
  `[(\\[]? ?(?:${beside} ?)?${times('times')}(?:(?<before>${amount}) )?${deposit}` +
    `(?:(?: of|:| @)? ?${times('timesAfter')}(?<after>${amount})(?! ?clubcard))?${state} ?[)\\]]?` +
    `(?: ?[(\\[]? ?(?<pieces>\\d{1,2}) ?x ?(?<piece>${amount}) ?[)\\]]?)?`,
  'g',
);
