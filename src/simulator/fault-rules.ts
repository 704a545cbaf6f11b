import { z } from 'zod';
import { type FaultKind, type FaultPlace, faultKinds } from './fault-kinds.ts';
import { happens, hash } from './hash.ts';
import type { RegionCode } from './taxonomy.ts';

const amount = z.number().optional();
const text = z.string().optional();

/** A fault and its conditions; omitted conditions always hold. */
const FaultRule = z.strictObject({
  kind: z.enum(Object.keys(faultKinds) as [FaultKind, ...FaultKind[]]),
  /**
   * Conditions on the request. `endpoint` is the path without its slash; `categories` and `pages` match category pages
   * only.
   */
  region: z.enum(['uk', 'ie']).optional(),
  endpoint: text,
  /** Value of the host header. */
  host: text,
  categories: z.array(z.string()).readonly().optional(),
  pages: z.array(z.number()).readonly().optional(),
  /**
   * Among matching requests: skip the first `after`; then only these numbers (1-based), every n-th, or with this
   * probability.
   */
  after: amount,
  nth: z.union([z.number(), z.array(z.number()).readonly()]).optional(),
  every: amount,
  probability: amount,
  /** Maximum number of times. */
  times: amount,

  /** `slow`: delay of the response; `drip`: pause between bytes. Milliseconds. */
  ms: amount,
  /** `truncated`, `resetMidBody`: bytes sent; `huge`, `gzipBomb`: decoded size; `deepJson`: depth. */
  bytes: amount,
  /** `redirect`: target and status. */
  location: text,
  status: amount,
  /** `rate429`, `quota429`, `vendor502`: text of the header. */
  retryAfter: text,
  /**
   * Number of affected items: items of a page, shifted products (negative: inserted at the front), size of `cap`,
   * missing top-level categories.
   */
  count: amount,
  /** `unlisted`: share of products; always the same ones. */
  share: amount,
  /** `wrongTotal`: added to the total, or replaces it. */
  delta: amount,
  total: amount,
  /**
   * `renamedField`: old and new name; `movedField`: old and new path in a product (`price.price`,
   * `sellers.results[].promotions`).
   */
  field: text,
  to: text,
});
export type FaultRule = Readonly<z.infer<typeof FaultRule>>;

/** Request that rules are matched against. */
export interface FaultContext {
  readonly endpoint: string;
  readonly region: RegionCode | null;
  readonly categoryId: string | null;
  readonly pageNo: number | null;
  readonly host?: string;
}

/** A rule that applies to a request. */
export interface Firing {
  readonly rule: FaultRule;
  readonly place: FaultPlace;
  /** 1-based number of the request among those matching the rule; for `shift`, within its category. */
  readonly nth: number;
  /** Random value for chances within the fault. */
  readonly draw: number;
}

export type FaultBook = ReturnType<typeof createFaultBook>;

export function createFaultBook(seed: number) {
  let book: Entry[] = [];

  return {
    /** Replaces all rules and resets their counters. */
    set(rules: readonly FaultRule[]): void {
      book = rules.map((rule) => ({ rule, seen: 0, fired: 0, seenByCategory: new Map() }));
    },
    /** Rules that apply, in order; counts the request. */
    draw(context: FaultContext): readonly Firing[] {
      if (book.length === 0) return none;
      const firings: Firing[] = [];
      book.forEach((entry, index) => {
        if (!fits(entry.rule, context)) return;
        const firing = fire(entry, context, hash(seed, 701, index, entry.seen + 1));
        if (firing) firings.push(firing);
      });
      return firings;
    },
    state: (): readonly (FaultRule & { readonly fired: number })[] =>
      book.map(({ rule, fired }) => ({ ...rule, fired })),
  };
}

/** Parses rules. Throws a `RangeError` that names the invalid rule. */
export function readFaultRules(value: unknown): readonly FaultRule[] {
  if (!Array.isArray(value)) throw new RangeError('faults must be a list of rules');
  return value.map((rule: unknown, index) => {
    const { data, error } = FaultRule.safeParse(rule);
    if (!error) return data;
    const [issue] = error.issues;
    const name = String(issue?.path[0] ?? 'it');
    const known = Object.keys(faultKinds).join(', ');
    const says =
      name === 'kind'
        ? `there is no fault "${(rule as FaultRule).kind}"; known are ${known}`
        : issue?.code === 'unrecognized_keys'
          ? `a rule has no "${issue.keys[0]}"`
          : `${name}: ${issue?.message}`;
    throw new RangeError(`faults[${index}]: ${says}`);
  });
}

interface Entry {
  readonly rule: FaultRule;
  seen: number;
  fired: number;
  readonly seenByCategory: Map<string, number>;
}

const none: readonly Firing[] = [];

function fits(rule: FaultRule, { endpoint, region, categoryId, pageNo, host }: FaultContext): boolean {
  if (rule.region !== undefined && rule.region !== region) return false;
  if (rule.endpoint !== undefined && rule.endpoint !== endpoint) return false;
  if (rule.host !== undefined && rule.host !== host) return false;
  if (rule.pages && (pageNo === null || !rule.pages.includes(pageNo))) return false;
  // For `missingCategory`, categories are the fault's content, not a condition.
  if (rule.kind === 'missingCategory') return true;
  return !rule.categories || (categoryId !== null && rule.categories.includes(categoryId));
}

function fire(entry: Entry, { endpoint, categoryId }: FaultContext, draw: number): Firing | null {
  const { rule } = entry;
  entry.seen += 1;
  if (rule.kind === 'shift') {
    // The regions share category ids.
    const category = `${endpoint} ${categoryId ?? ''}`;
    const nth = (entry.seenByCategory.get(category) ?? 0) + 1;
    entry.seenByCategory.set(category, nth);
    if (nth > (rule.after ?? 1)) entry.fired += 1;
    return { rule, place: 'listing', nth, draw };
  }
  const nth = entry.seen - (rule.after ?? 0);
  if (nth < 1 || entry.fired >= (rule.times ?? Number.POSITIVE_INFINITY)) return null;
  if (rule.nth !== undefined && ![rule.nth].flat().includes(nth)) return null;
  if (rule.every !== undefined && nth % rule.every !== 0) return null;
  if (rule.probability !== undefined && !happens(rule.probability, draw)) return null;
  entry.fired += 1;
  return { rule, place: faultKinds[rule.kind], nth, draw };
}
