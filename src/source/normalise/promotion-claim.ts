import { type Decimal, decimalFromNumber } from './decimal.ts';
import { pattern } from './pattern.ts';

/**
 * Saving in a folded promotion text as an exact percentage: `save 25%`, `1/3 off`, `half price`. Null if there is none,
 * several, only a bound (`up to 50% off`), or one for a single product of several (`cheapest half price`).
 */
export function savePercentOf(text: string): Decimal | null {
  if (/\b(?:up to|better than|more than|at least|over)\s/.test(text) || ofOneAmongSeveral.test(text)) return null;
  const shares = new Set<string>();
  for (const match of text.matchAll(claimPattern)) {
    if (isBound(text, match.index, match.index + match[0].length)) return null;
    const share = percentOf(match);
    if (share !== null) shares.add(share);
  }
  return shares.size === 1 ? ([...shares][0] ?? null) : null;
}

/** Whether the text claims any saving, even of unknown size. */
export function claimsSaving(text: string): boolean {
  return text.search(claimPattern) >= 0;
}

/** Text without claims of savings, for judging the rest. */
export function withoutClaims(text: string): string {
  return text.replace(claimPattern, ' ');
}

/** Whether the amount at this position is only a bound or an estimate: `from`, `nearly`, `or less`, `10% to`. */
export function isBound(text: string, start: number, end: number): boolean {
  return boundBefore.test(text.slice(Math.max(0, start - 30), start)) || boundAfter.test(text.slice(end, end + 20));
}

const boundBefore = new RegExp(pattern`
    (?:\b(?:up to|on|off|from|starting at|over|under|below|above|between|at least|(?:more|less|better) than|nearly
    |almost|around|about|approx(?:imately)?\.?|circa|average(?: price)?|min(?:imum)?\.?|max(?:imum)?\.?)(?: of)?
    (?: save| saving)?:? ?|(?:%|[£€] ?[\d.,]{1,9}) ?(?:-|to|and) ?|\d-)$`);

const boundAfter = new RegExp(pattern`
    ^(?: off)? ?(?:\+|(?:or|and) (?:less|more|better|under|over|below|above|up)\b|upwards\b
    |(?:-|to) ?(?:[£€] ?\d|\d{1,3} ?(?:%|p\b)))`);

const ofOneAmongSeveral =
  /\b(?:cheapest|cheaper|lowest[- ]priced|second|2nd|3rd|4th|the third|third (?=item|one|half|free))\b/;

const claimPattern = new RegExp(
  pattern`
    (?:better than )?(?:\bhalf|(?<![\d/])1\/2)[ -]price\b
    |\bsave (?:up to |over |at least |a |an extra )?
    (?:(\d{1,3}(?:\.\d{1,2})?) ?(?:%|per ?cent\b)|(\d)\/(\d{1,2})|(?:one )?(half|third|quarter)\b)
    |(?<![\d.,/])(?:(\d{1,3}(?:\.\d{1,2})?) ?(?:%|per ?cent)|(\d)\/(\d{1,2})) off\b|\b(half|third|quarter) off\b`,
  'g',
);

const words: Readonly<Record<string, Decimal>> = { half: '50', third: '33.33', quarter: '25' };

function percentOf(match: RegExpMatchArray): Decimal | null {
  const percent = match[1] ?? match[5];
  if (percent !== undefined)
    return Number(percent) > 0 && Number(percent) < 100 ? decimalFromNumber(Number(percent)) : null;
  const [over, under] = [Number(match[2] ?? match[6]), Number(match[3] ?? match[7])];
  if (!Number.isNaN(over))
    return over > 0 && over < under ? decimalFromNumber(Math.round((over * 10_000) / under) / 100) : null;
  return words[match[4] ?? match[8] ?? 'half'] ?? null;
}
