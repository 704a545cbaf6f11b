import { readReset } from './quota.ts';

const fast = /rate limit|too many requests|throttl|slow down|too (fast|quick)|concurren|burst/i;
const short = new RegExp(
  [
    '(\\b(per|each|every|an?|one|last)\\b|/) ?(\\d+ ?)?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\\b',
    '\\b(requests?|calls?) (in|within) \\d+ ?(s|m)',
    '\\d+ ?(second|minute)s? (limit|window|quota)',
    '\\b[qrt]p[sm]\\b',
  ].join('|'),
  'i',
);
const long = /\b(month|day|daily|today|week|year|annual|24 ?h)/i;
const plan =
  /\b(requests|calls|usage)\b.*\b(plan|subscription|package)|\b(plan|subscription|package)\b.*\b(requests|calls)/i;
const allowance = /quota|allowance|credit/i;
const limit = /limit|\bcap\b/i;
const lacking = /\b(no|0|zero|insufficient|enough)\b.{0,30}(quota|allowance|credit|\bleft|\bremain)/i;
const gone = new RegExp(
  [
    'exceed|\\breach|exhaust|deplet|drain|consumed|\\bspent\\b|\\bhit\\b|surpass|overdrawn|\\bover\\b|maxed',
    '\\bused? up|\\busing up|been used|used all|all used|\\bout of\\b|\\br[au]n(ning)? out',
  ].join('|'),
  'i',
);
const ofSize = /\b(length|size|characters?|bytes|disk|storage|memory|radius|time limit|page limit|too (long|large))\b/i;

/**
 * What a text says of a limit: requests come too fast (`pace`), or what the plan includes is used up (`quota`), perhaps
 * in words so clear that they count with any status. Null: nothing.
 */
export function limitIn(text: string): { readonly is: 'pace' | 'quota'; readonly isClear: boolean } | null {
  // Codes are read as words: `usage_limit_reached`, `dailyLimitExceeded`.
  const words = text.replace(/([a-z])(?=[A-Z])/g, '$1 ').replace(/[_-]+/g, ' ');
  const isAllowance = allowance.test(words);
  const isFast = fast.test(words);
  const isGone = lacking.test(words) || (gone.test(words) && (isAllowance || limit.test(words) || plan.test(words)));
  const ofPeriod = long.test(words) && (isFast || isGone || (gone.test(words) && /requests|calls|usage/i.test(words)));
  if (ofSize.test(words) || !(isFast || isGone || ofPeriod)) return null;
  if (short.test(words)) return { is: 'pace', isClear: false };
  const isQuota = ofPeriod || (isGone && (isAllowance || !isFast));
  return { is: isQuota ? 'quota' : 'pace', isClear: isQuota && (isAllowance || ofPeriod) };
}

const msOf: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const isoTime = /\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(?::[\d.]+)?(Z|[+-]\d\d:?\d\d)?)?/;

/** Milliseconds until the end that a text states: `replenished in 22.14:18:12`, `resets in 3 days`, an ISO time. */
export function statedWait(text: string, now: Date): number | null {
  const [, then] = /(?:reset|replenish|renew|refill|refresh|retry|again|wait|available|restor)(.*)/is.exec(text) ?? [];
  if (then === undefined) return null;
  const [iso, t, zone] = isoTime.exec(then) ?? [];
  const [clock, days = 0, ...parts] = /(?:(\d+)\.)?(\d{1,2}):(\d\d):(\d\d)/.exec(then) ?? [];
  const spans = [
    ...then.matchAll(/(\d+(?:\.\d+)?) ?(w|d|h|m|s)(?:eeks?|ays?|ours?|rs?|in(?:ute)?s?|ec(?:ond)?s?)?\b/gi),
  ];
  const [, number] = /^[a-z_]{0,9}\W*(?:in|at|after|for)?\W*(\d{1,13})\b/i.exec(then) ?? [];
  const [hours, minutes, seconds] = parts.map(Number);
  const ms = iso
    ? Date.parse(`${iso.replace(' ', 'T')}${t && !zone ? 'Z' : ''}`) - now.getTime()
    : clock
      ? ((Number(days) * 24 + hours!) * 60 + minutes!) * 60_000 + seconds! * 1_000
      : spans.length > 0
        ? spans.reduce((sum, [, count, unit]) => sum + Number(count) * msOf[unit!.toLowerCase()]!, 0)
        : (readReset(number, now)?.getTime() ?? Number.NaN) - now.getTime();
  return ms > 0 && ms <= msOf['d']! * 366 ? ms : null;
}
