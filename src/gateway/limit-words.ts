import { longestResetMs } from './quota.ts';

const fast = /rate limit|too many requests|throttl|slow down|too (fast|quick)|concurren|burst/i;
const short =
  /(\b(per|each|every|an?|one|last) |\/ ?)(\d+ )?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b|\b[qrt]p[sm]\b/i;
const long = /\b(month|day|daily|today|week|year|annual)/i;
const included = /quota|allowance|credit/i;
const counted = /limit|requests|calls|usage|\bcap\b/i;
const ofLimit = /limit|\bcap\b|\b(requests|calls|usage)\b.*\b(plan|subscription)/i;
const gone = new RegExp(
  [
    'exceed|\\breach|exhaust|deplet|consumed|\\bspent\\b|\\bhit\\b|surpass|\\bover\\b|\\bout of\\b|\\br[au]n out',
    '\\bused? (up|all)|(been|all) used|\\b(no|0|zero|insufficient|enough)\\b.*(quota|allowance|credit|left|remain)',
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
  const isFast = fast.test(words);
  const isOfPlan = included.test(words) || (long.test(words) && counted.test(words));
  const isGone = gone.test(words) && (isOfPlan || ofLimit.test(words));
  if (ofSize.test(words) || !(isFast || isGone)) return null;
  const isQuota = !short.test(words) && (isOfPlan ? isGone || /too many/i.test(words) : !isFast);
  return { is: isQuota ? 'quota' : 'pace', isClear: isQuota && isOfPlan };
}

const msOf: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds until the end that a text states: `replenished in 22.14:18:12`, `resets in 3 days`, an ISO time. */
export function statedWait(text: string, now: Date): number | null {
  const [, then] = /(?:reset|replenish|renew|refill|refresh|retry|again|wait|available|restor)(.*)/is.exec(text) ?? [];
  if (then === undefined) return null;
  const [iso] = /\d{4}-\d\d-\d\d([T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?)?/.exec(then) ?? [];
  // 22.14:18:12 is 22 days and 14 hours; a number without a unit, as in `retry_after 60`, is in seconds.
  const inUnits = then.replace(
    /(?:(\d+)\.)?(\d{1,2}):(\d\d):(\d\d)/,
    (_, d, ...[h, m, s]) => `${d ?? 0}d ${h}h ${m}m ${s}s`,
  );
  let ms = iso ? Date.parse(/T\d\d:[\d:.]+$/.test(iso) ? `${iso}Z` : iso) - now.getTime() : 0;
  if (!iso)
    for (const [, count, unit = ''] of inUnits.matchAll(/(\d+(?:\.\d+)?) ?(w|d|h|m(?!o)|s|;|$)/gi))
      ms += Number(count) * (msOf[unit.toLowerCase()] ?? 1_000);
  return ms > 0 && ms <= longestResetMs ? ms : null;
}
