import { auditShare, explorationShare, fewVisits, hintChance, urgentShare } from '../../src/plan/refresh-value.ts';
import { chanceOfChange, changeRate, pooledRate, refreshValue, urgentCount } from './refresh-formulas.ts';

/** Draws that repeat: mulberry32. */
export function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Goods {
  /** Changes a day, as they truly are. */
  readonly rate: number;
  readonly weight: number;
  readonly category: number;
  /** Day of the last visit, and of the last change. */
  visited: number;
  changed: number;
  hinted: boolean;
  visits: number;
  changes: number;
  quietDays: number;
  changedDays: number;
}

/** A catalogue whose rates spread as widely as measured: median a change in 60 days, log-normal, categories alike. */
export function catalogue(count: number, random: () => number): Goods[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const categories = Array.from({ length: 40 }, () => normal() * 1.1);
  return Array.from({ length: count }, (_, i) => {
    const category = i % categories.length;
    return {
      rate: Math.exp(categories[category]! + normal() * 1.02) / 60,
      weight: Math.exp(normal() * 1.2),
      category,
      visited: -Math.floor(random() * 30),
      changed: -100,
      hinted: false,
      visits: 1,
      changes: 0,
      quietDays: 0,
      changedDays: 0,
    };
  });
}

export interface Replayed {
  /** Mean share of the weight whose details are as upstream has them. */
  readonly freshness: number;
  readonly oldest: number;
}

/** Replays nights of changes against a policy that chooses what is refreshed each night. */
export function replay(
  goods: Goods[],
  {
    nights,
    from,
    perNight,
    hints,
    random,
  }: { nights: number; from: number; perNight: number; hints: boolean; random: () => number },
  choose: (goods: readonly Goods[], day: number, perNight: number) => readonly number[],
): Replayed {
  const total = goods.reduce((sum, { weight }) => sum + weight, 0);
  let fresh = 0;
  let oldest = 0;
  for (let day = 1; day <= nights; day += 1) {
    for (const each of goods) {
      if (random() < 1 - Math.exp(-each.rate)) {
        each.changed = day;
        if (hints && random() < 0.5) each.hinted = true;
      }
      if (hints && random() < 0.002) each.hinted = true;
    }
    for (const i of choose(goods, day, perNight)) {
      const each = goods[i]!;
      const days = day - each.visited;
      const found = each.changed > each.visited;
      each.visits += 1;
      if (found) {
        each.changes += 1;
        each.changedDays += days;
      } else each.quietDays += days;
      each.visited = day;
      each.hinted = false;
    }
    if (day <= from) continue;
    for (const { changed, visited, weight } of goods) {
      if (changed <= visited) fresh += weight;
      oldest = Math.max(oldest, day - visited);
    }
  }
  return { freshness: fresh / total / (nights - from), oldest };
}

/** Everything in turn. */
export function uniform(): (goods: readonly Goods[], day: number, perNight: number) => number[] {
  let next = 0;
  return (goods, _day, perNight) => Array.from({ length: perNight }, () => next++ % goods.length);
}

/** As src/ledger/detail-ranking.ts chooses: the urgent, then by value, some to explore and some by chance. */
export function byValue(
  maxAge: number,
  random: () => number,
): (goods: readonly Goods[], day: number, perNight: number) => number[] {
  return (goods, day, perNight) => {
    const all = sum(goods);
    const region = pooledRate(all, 1 / 120);
    const categories = new Map<number, Goods[]>();
    for (const each of goods) categories.set(each.category, [...(categories.get(each.category) ?? []), each]);
    const pooled = new Map([...categories].map(([category, own]) => [category, pooledRate(sum(own), region)]));
    const hint = hintChance({ visits: 1_000, changes: 500 }, 0.5);
    const values = goods.map((each) => {
      const rate = changeRate(each, pooled.get(each.category)!);
      return refreshValue(each.weight, rate, chanceOfChange(rate, day - each.visited, each.hinted ? hint : 0));
    });
    const audits = Math.ceil(perNight * auditShare);
    const explorations = Math.ceil(perNight * explorationShare);
    const refreshes = perNight - audits - explorations;
    const oldestFirst = goods.map((_, i) => i).sort((a, b) => goods[a]!.visited - goods[b]!.visited);
    const due = urgentCount(
      oldestFirst.map((i) => day - goods[i]!.visited),
      refreshes * urgentShare,
      maxAge,
    );
    const chosen = new Set(oldestFirst.slice(0, due));
    const ranked = goods.map((_, i) => i).sort((a, b) => values[b]! - values[a]!);
    for (const i of ranked) if (chosen.size < refreshes) chosen.add(i);
    const rest = ranked.filter((i) => !chosen.has(i)).sort(() => random() - 0.5);
    for (const i of rest.slice(0, audits)) chosen.add(i);
    const unknown = rest.filter((i) => !chosen.has(i) && goods[i]!.visits < fewVisits);
    for (const i of unknown.slice(0, explorations)) chosen.add(i);
    // Nobody is left to explore: their places go to what is worth most.
    for (const i of ranked) if (chosen.size < perNight) chosen.add(i);
    return [...chosen];
  };
}

function sum(goods: readonly Goods[]): { changes: number; quietDays: number; changedDays: number } {
  const total = { changes: 0, quietDays: 0, changedDays: 0 };
  for (const { changes, quietDays, changedDays } of goods) {
    total.changes += changes;
    total.quietDays += quietDays;
    total.changedDays += changedDays;
  }
  return total;
}

/**
 * The best that so many refreshes a night can do by the clock, knowing every rate: water filling, all at the same marginal value.
 * Freshness of a product refreshed every T days: (1 - e^(-rate T)) / (rate T).
 */
export function optimum(goods: readonly Goods[], perNight: number): number {
  const interval = (each: Goods, price: number): number => {
    // d freshness / d frequency = (w / rate) (1 - (1 + x) e^-x) at x = rate * T.
    const wanted = (price * each.rate) / each.weight;
    if (wanted >= 1) return Number.POSITIVE_INFINITY;
    let low = 0;
    let high = 700;
    for (let i = 0; i < 60; i += 1) {
      const x = (low + high) / 2;
      if (1 - (1 + x) * Math.exp(-x) < wanted) low = x;
      else high = x;
    }
    return low / each.rate;
  };
  let low = 0;
  let high = Math.max(...goods.map(({ weight, rate }) => weight / rate));
  for (let i = 0; i < 50; i += 1) {
    const price = (low + high) / 2;
    const spent = goods.reduce((total, each) => total + 1 / Math.max(interval(each, price), 1e-9), 0);
    if (spent > perNight) low = price;
    else high = price;
  }
  const fresh = goods.reduce((total, each) => {
    const x = each.rate * interval(each, high);
    return total + each.weight * (x === Number.POSITIVE_INFINITY ? 0 : (1 - Math.exp(-x)) / x);
  }, 0);
  return fresh / goods.reduce((total, { weight }) => total + weight, 0);
}
