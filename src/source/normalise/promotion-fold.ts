import { decimalFromAmount, decimalFromPence, minorFromDecimal } from './money.ts';
import { pattern } from './pattern.ts';
import { withoutMarkup } from './text.ts';

/**
 * Normalises a promotion text for parsing: entities decoded, lower case, single spaces, one kind of dash, fraction and
 * pound sign; without footnote marks, offer dates and servings.
 */
export function foldPromotion(text: string): string {
  return withoutMarkup(text)
    .replace(/[\u00ad\u2060]+/g, '')
    .replace(/[\s\u0000-\u001f\u00a0\u200b\u202f\ufeff]+/g, ' ')
    .replace(/[‐-―−]/g, '-')
    .replace(/⁄/g, '/')
    .replace(/％/g, '%')
    .replace(/[（]/g, '(')
    .replace(/½/g, '1/2')
    .replace(/⅓/g, '1/3')
    .replace(/⅔/g, '2/3')
    .replace(/¼/g, '1/4')
    .replace(/[†‡§¹²³®™©]+/g, '')
    .replace(/[￡₤]/g, '£')
    .toLowerCase()
    .replace(/(?<![^\s(])\*+|(?<=[a-z\d!.)])\*+(?!\w)/g, '')
    .replace(/\bclub-card/g, 'clubcard')
    .replace(/(?=club ?card)(?<=[^\s(-])/g, ' ')
    .replace(/(?<=\bclub ?card)(?=prices?\b)/g, ' ')
    .replace(/\bcc(?= prices?\b)/g, 'clubcard')
    .replace(/\bany(?=\d)/g, 'any ')
    .replace(/-for-/g, ' for ')
    .replace(/(?<=\d) ?([pc])(?:ence|ents?)\b/g, '$1')
    .replace(/(?<=\b(?:less|cheaper|lower)) than (?:usual|normal|regular|standard|rrp)(?: price)?\b/g, '')
    .replace(/\breduced(?: to clear)?(?: to)?(?=:? ?[£€\d])/g, 'now')
    .replace(datesOfOffer, ' ')
    .replace(feeds, ' ')
    .replace(smallPrint, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Text without pack sizes: `500g`, `4 x 330ml`, `6 pack`. */
export function withoutPackSizes(text: string): string {
  return text.replace(/\d{1,4}(?: ?x ?\d{1,4})?(?:\.\d{1,3})? ?(?:kg|g|ml|cl|l|litres?|pack|pk)\b/g, ' ');
}

const month = pattern`
    (?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?
    |nov(?:ember)?|dec(?:ember)?)`;
const weekday = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?';
const nth = '\\d{1,2}(?:st|nd|rd|th)?';
const fullDate = '(?<!\\d)(?:\\d{1,2}[/.-]\\d{1,2}[/.-](?:\\d{4}|\\d\\d)|\\d{4}-\\d\\d-\\d\\d)(?!\\d)';
/** Short dates count only after `until` and similar words: `1/3` may be a third, `3 may` a number and a verb. */
const shortDate = pattern`
  (?:\d{1,2}/\d{1,2}(?![\d/]| (?:off|price))|${nth} (?:of )?${month}(?: \d{4})?|${month} ${nth}(?:,? \d{4})?)
  (?!\w)`;
const words = pattern`
    (?<![a-z])(?:(?:offer|is|valid|available|starts|ends|runs|for (?:delivery|collection)|from|until|till|to|and
    |between|on) )*`;
/** Two days, the second with its month: `3rd to 24th march`, `24 nov - 7 dec`, `24/11 - 07/12`. */
const dayRange = pattern`
  (?:${weekday}(?:${nth} (?:of )?${month}(?: \d{4})?|\d{1,2}(?:st|nd|rd|th)|(?<=\bfrom )\d{1,2}) ?
  (?:-|to|until) ?${weekday}${nth} (?:of )?${month}(?: \d{4})?
  |(?<![\d/])\d{1,2}/\d{1,2} ?(?:-|to|until) ?\d{1,2}/\d{1,2}(?![\d/]| (?:off|price)))(?!\w)`;
const datesOfOffer = new RegExp(
  pattern`
    ${words}${weekday}${fullDate}(?: ?- ?${weekday}${fullDate})?|${words}${dayRange}
    |${words}(?:until|till|ends?|ending)(?: on)? ${weekday}${shortDate}`,
  'g',
);

/** `feeds 4 for £10` is one dish, not four products. */
const feeds = new RegExp(
  pattern`
    \b(?:feeds?|serves?)(?: (?:up to|a family of))? (?:\d{1,2}(?: ?(?:-|to) ?\d{1,2})?|two|three|four|five|six
    |eight)\b`,
  'g',
);

const few = '(?:\\d{1,2}|one|two|three|four|five|six|eight|ten|twelve)';
const atMost = `(?:max(?:imum)?\\.?|limit(?:ed)?)(?: of| to)?:? ${few}`;
/** Limits per customer and general terms. */
const smallPrint = new RegExp(
  pattern`
    \(${atMost}(?: [a-z]+)?(?: each)?\)|(?<=\bprices?[,.;]?(?: -)? )${atMost}(?=[ .!]*$)
    |(?:\(?\b${atMost}|\((?:up to )?${few})(?: [a-z]+)? (?:per|a)\s
    (?:customer|household|order|transaction|shopper|person)\)?
    |\bt ?(?:&|and) ?cs?\b(?: apply)?`,
  'g',
);

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
  const decimal = pence === undefined ? decimalFromAmount(printed.replace(/[£€ ]+/g, '')) : decimalFromPence(pence);
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
