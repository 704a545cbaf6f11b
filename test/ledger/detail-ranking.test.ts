import { beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { type Ranked, type RankingNeeds, rankDetails } from '../../src/ledger/detail-ranking.ts';
import { assumedHint, assumedRate, leastChance, urgentShare } from '../../src/plan/refresh-value.ts';
import { chanceOfChange, changeRate, pooledRate, refreshValue, urgentCount } from '../plan/refresh-formulas.ts';
import { drawing } from '../plan/refresh-policy.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';

const at = new Date('2026-06-01T02:00:00Z');
const daysAgo = (days: number) => new Date(at.getTime() - days * 86_400_000);

interface Known {
  readonly key: number;
  readonly category: number;
  readonly isForSale: boolean;
  readonly hasNewTile: boolean;
  readonly age: number;
  readonly changes: number;
  readonly quietDays: number;
  readonly changedDays: number;
  readonly visits: number;
}

interface Candidate {
  readonly key: number;
  readonly age: number;
  readonly rate: number;
  readonly chance: number;
  readonly value: number;
  readonly isUrgent: boolean;
}

describe('ranking product details', () => {
  const database = useDatabase();
  const random = drawing(3);
  const known: readonly Known[] = Array.from({ length: 300 }, (_, i) => {
    const changes = Math.floor(random() * 4);
    return {
      key: i + 1,
      category: 1 + (i % 7),
      isForSale: random() < 0.9,
      hasNewTile: random() < 0.05,
      age: Math.floor(random() * 85),
      changes,
      quietDays: Math.floor(random() * 300),
      changedDays: changes === 0 ? 0 : changes * Math.ceil(random() * 40),
      visits: 1 + changes + Math.floor(random() * 6),
    };
  });
  /** Listed, and nothing is known of them. */
  const unknown = [301, 302, 303, 304];

  beforeAll(async () => {
    const { db } = database;
    await insert(
      db,
      'catalog.product',
      [...known, ...unknown.map((key) => ({ key, isForSale: true, hasNewTile: false, age: 0 }))].map(
        ({ key, isForSale, hasNewTile, age }) => ({
          product_key: key,
          region: 'uk',
          product_id: String(key),
          title: `Product ${key}`,
          is_for_sale: isForSale,
          first_seen_at: daysAgo(400),
          valid_from: hasNewTile ? daysAgo(age - 0.5) : daysAgo(400),
          listing_hash: '00000000-0000-0000-0000-000000000000',
        }),
      ),
    );
    await insert(
      db,
      'catalog.product_current',
      [...known.map(({ key }) => key), ...unknown].map((key) => ({
        product_key: key,
        availability: 'available',
        price_since: daysAgo(400),
        availability_since: daysAgo(400),
      })),
    );
    await insert(
      db,
      'catalog.product_category',
      known.map(({ key, category }) => ({
        product_key: key,
        category_key: category,
        valid_from: daysAgo(400),
        source: 'listing',
      })),
    );
    await insert(
      db,
      'ops.detail_visit',
      known.map((each) => ({
        product_key: each.key,
        visited_at: daysAgo(each.age),
        visits: each.visits,
        changes: each.changes,
        quiet_days: each.quietDays,
        changed_days: each.changedDays,
      })),
    );
  });

  const needs = (more: Partial<RankingNeeds>): RankingNeeds => ({
    region: 'uk',
    at,
    runId: null,
    limit: 100,
    maxAgeDays: 90,
    seed: 'one',
    ...more,
  });

  function ranked<Result>(more: Partial<RankingNeeds>, use: (tx: Transaction, ranked: Ranked) => Promise<Result>) {
    return database.db.tx(async (tx) => use(tx, await rankDetails(tx, needs(more))));
  }

  const choiceOf = (more: Partial<RankingNeeds>) =>
    ranked(more, (tx) =>
      rowsOf<{ productId: string; reason: string }>(
        tx,
        `select product_id as "productId", reason from detail_choice order by place, product_id`,
      ),
    );

  test('the database reckons as the formulas do', async () => {
    const candidates = await ranked({}, (tx) =>
      rowsOf<Candidate>(
        tx,
        `select product_key as key, age_days as age, rate, chance, value, is_urgent as "isUrgent" from detail_candidate where not is_new`,
      ),
    );
    const region = pooledRate(total(known), assumedRate);
    const rateOf = new Map(
      [1, 2, 3, 4, 5, 6, 7].map((category) => [
        category,
        pooledRate(total(known.filter((each) => each.category === category)), region),
      ]),
    );
    expect(candidates).toHaveLength(known.length);
    for (const each of known) {
      const candidate = candidates.find(({ key }) => key === each.key)!;
      const rate = changeRate(each, rateOf.get(each.category)!);
      const chance = chanceOfChange(rate, each.age, each.hasNewTile ? assumedHint.tile : 0);
      expect(candidate.age).toBeCloseTo(each.age, 6);
      expect(candidate.rate / rate).toBeCloseTo(1, 5);
      expect(candidate.chance).toBeCloseTo(chance, 6);
      expect(candidate.value / refreshValue(each.isForSale ? 1 : 0.5, rate, chance) || 1).toBeCloseTo(1, 3);
    }
  });

  test('new ones come first, then the most valuable, a few by chance; no more than allowed', async () => {
    const chosen = await choiceOf({});
    expect(chosen).toHaveLength(100);
    expect(new Set(chosen.map(({ productId }) => productId)).size).toBe(100);
    expect(chosen.slice(0, 4).map(({ productId, reason }) => [productId, reason])).toEqual(
      unknown.map((key) => [String(key), 'new']),
    );
    const count = (reason: string) => chosen.filter((each) => each.reason === reason).length;
    expect([count('audit'), count('explore')]).toEqual([2, 5]);
    expect(count('tile')).toBeGreaterThan(0);
    expect(count('refresh')).toBeGreaterThan(count('tile'));
  });

  test('what is not worth a request is not asked for, however many are allowed', async () => {
    const { chosen, wanted } = await ranked({ limit: 5_000 }, async (_, found) => found);
    const [worth] = await ranked({}, (tx) =>
      rowsOf<{ products: number }>(
        tx,
        `select count(*)::int as products from detail_candidate where is_new or chance >= ${leastChance}`,
      ),
    );
    expect(wanted).toBe(worth!.products);
    expect(chosen).toBeGreaterThanOrEqual(wanted);
    expect(chosen).toBeLessThanOrEqual(known.length + unknown.length);
  });

  test('as many of the oldest are urgent as keep all below the maximum age', async () => {
    const limit = 40;
    const urgent = await ranked({ limit, maxAgeDays: 84 }, (tx) =>
      rowsOf<{ age: number }>(
        tx,
        'select age_days as age from detail_candidate where is_urgent order by age_days desc',
      ),
    );
    const forOthers = limit - unknown.length;
    const refreshes = forOthers - 1 - Math.ceil(forOthers * 0.05);
    const ages = known.map(({ age }) => age).sort((a, b) => b - a);
    const due = urgentCount(ages, refreshes * urgentShare, 84);
    expect(due).toBeGreaterThan(0);
    expect(urgent.map(({ age }) => Math.round(age))).toEqual(ages.slice(0, due));
  });

  test('the same words draw the same products, others draw others; nothing is drawn where nothing may be asked', async () => {
    const drawn = async (seed: string) =>
      (await choiceOf({ seed })).filter(({ reason }) => reason === 'audit' || reason === 'explore');
    expect(await drawn('one')).toEqual(await drawn('one'));
    expect(await drawn('two')).not.toEqual(await drawn('one'));
    expect(await choiceOf({ limit: 0 })).toEqual([]);
  });
});

function total(some: readonly Known[]) {
  const sum = (pick: (each: Known) => number) => some.reduce((all, each) => all + pick(each), 0);
  return {
    changes: sum((each) => each.changes),
    quietDays: sum((each) => each.quietDays),
    changedDays: sum((each) => each.changedDays),
  };
}
