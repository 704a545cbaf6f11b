import { type FaultKind, type FaultPlace, faultKinds } from './fault-kinds.ts';
import { happens, hash } from './hash.ts';
import type { RegionCode } from './taxonomy.ts';

/** One thing that goes wrong, and when. Conditions that are left out hold always. */
export interface FaultRule {
  readonly kind: FaultKind;
  /**
   * Conditions on the question. `endpoint` is the path without its slash; `categories` and `pages` hold category pages
   * only.
   */
  readonly region?: RegionCode;
  readonly endpoint?: string;
  /** The host header. */
  readonly host?: string;
  readonly categories?: readonly string[];
  readonly pages?: readonly number[];
  /**
   * Of the questions that fit: not the first `after`; then only these (1-based), only every so many, only with this
   * chance.
   */
  readonly after?: number;
  readonly nth?: number | readonly number[];
  readonly every?: number;
  readonly probability?: number;
  /** At most so often. */
  readonly times?: number;

  /** `slow`: delay before the answer; `drip`: pause between bytes. */
  readonly ms?: number;
  /** `truncated`, `resetMidBody`: bytes sent before the end; `huge`, `gzipBomb`: decoded size; `deepJson`: depth. */
  readonly bytes?: number;
  /** `redirect`: where to, and with which status. */
  readonly location?: string;
  readonly status?: number;
  /** `rate429`, `quota429`, `vendor502`: the header's text, verbatim. */
  readonly retryAfter?: string;
  /**
   * How many: items of a page, products shifted (negative: inserted in front), `cap`'s size, top-level categories
   * missing.
   */
  readonly count?: number;
  /** `unlisted`: of all products, the same ones wherever and whenever they are asked for. */
  readonly share?: number;
  /** `wrongTotal`: added to the total, or in its place. */
  readonly delta?: number;
  readonly total?: number;
  /**
   * `renamedField`: which one, and its new name; `movedField`: the path in a product, and where it is instead
   * (`price.price`, `sellers.results[].promotions`).
   */
  readonly field?: string;
  readonly to?: string;
}

/** The question a rule is held against. */
export interface FaultContext {
  readonly endpoint: string;
  readonly region: RegionCode | null;
  readonly categoryId: string | null;
  readonly pageNo: number | null;
  readonly host?: string;
}

/** A rule that applies to the question at hand. */
export interface Firing {
  readonly rule: FaultRule;
  readonly place: FaultPlace;
  /** Which of its questions this is, 1-based; for `shift`, of its category. */
  readonly nth: number;
  /** For chances inside the fault. */
  readonly draw: number;
}

export interface FaultBook {
  /** Replaces all rules and their counts. */
  set(rules: readonly FaultRule[]): void;
  /** Rules that apply, in order; counts the question. */
  draw(context: FaultContext): readonly Firing[];
  state(): readonly (FaultRule & { readonly fired: number })[];
}

export function createFaultBook(seed: number): FaultBook {
  let book: Entry[] = [];

  return {
    set(rules) {
      book = rules.map((rule) => ({ rule, seen: 0, fired: 0, seenByCategory: new Map() }));
    },
    draw(context) {
      if (book.length === 0) return none;
      const firings: Firing[] = [];
      book.forEach((entry, index) => {
        if (!fits(entry.rule, context)) return;
        const firing = fire(entry, context, hash(seed, 701, index, entry.seen + 1));
        if (firing) firings.push(firing);
      });
      return firings;
    },
    state: () => book.map(({ rule, fired }) => ({ ...rule, fired })),
  };
}

/** Rules from JSON. Throws a `RangeError` that says which rule is wrong and how. */
export function readFaultRules(value: unknown): readonly FaultRule[] {
  if (!Array.isArray(value)) throw new RangeError('faults must be a list of rules');
  return value.map((rule: unknown, index) => {
    if (typeof rule !== 'object' || rule === null) throw new RangeError(`faults[${index}] is not a rule`);
    const { kind } = rule as { kind?: unknown };
    if (typeof kind !== 'string' || !Object.hasOwn(faultKinds, kind)) {
      throw new RangeError(
        `faults[${index}]: there is no fault "${String(kind)}"; known are ${Object.keys(faultKinds).join(', ')}`,
      );
    }
    const strange = Object.keys(rule).find((name) => !ruleFields.has(name));
    if (strange !== undefined) throw new RangeError(`faults[${index}]: a rule has no "${strange}"`);
    return rule as FaultRule;
  });
}

interface Entry {
  readonly rule: FaultRule;
  seen: number;
  fired: number;
  readonly seenByCategory: Map<string, number>;
}

const none: readonly Firing[] = [];

const ruleFields = new Set([
  'kind',
  'region',
  'endpoint',
  'host',
  'categories',
  'pages',
  'after',
  'nth',
  'every',
  'probability',
  'times',
  'ms',
  'bytes',
  'location',
  'status',
  'retryAfter',
  'count',
  'share',
  'delta',
  'total',
  'field',
  'to',
]);

function fits(rule: FaultRule, { endpoint, region, categoryId, pageNo, host }: FaultContext): boolean {
  if (rule.region !== undefined && rule.region !== region) return false;
  if (rule.endpoint !== undefined && rule.endpoint !== endpoint) return false;
  if (rule.host !== undefined && rule.host !== host) return false;
  if (rule.pages && (pageNo === null || !rule.pages.includes(pageNo))) return false;
  // Which categories are missing is not a condition on the taxonomy's question.
  if (rule.kind === 'missingCategory') return true;
  return !rule.categories || (categoryId !== null && rule.categories.includes(categoryId));
}

function fire(entry: Entry, { endpoint, categoryId }: FaultContext, draw: number): Firing | null {
  const { rule } = entry;
  entry.seen += 1;
  if (rule.kind === 'shift') {
    // Regions have categories of the same id.
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
