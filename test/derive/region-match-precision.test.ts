import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { readText } from '../house/source-files.ts';
import { fillFromTruth } from '../support/book-from-truth.ts';
import { useDatabase } from '../support/database.ts';
import { precisionBound } from './precision-bound.ts';

interface Pair {
  readonly tier: number;
  readonly uk: string;
  readonly ie: string;
}

describe('the pairs found in a book of the simulator', () => {
  const database = useDatabase();
  /** Which article a product id of a region is. */
  const goods = new Map<string, string>();
  let pairs: readonly Pair[] = [];

  beforeAll(async () => {
    const { db } = database;
    const nights = await fillFromTruth(db, {
      items: 4_000,
      seed: 11,
      from: '2026-03-01',
      nights: 3,
      step: 30,
      dailyTurnover: 0.003,
    });
    for (const { region, products } of nights) {
      for (const { productId, goods: article } of products.values()) goods.set(`${region} ${productId}`, article);
    }
    for (const region of ['uk', 'ie'] as const)
      await deriveNights(db, region, { all: [sqlDerivation('region-match')] });
    const { rows } = await db.query<Pair & Record<string, unknown>>(
      `select tier, uk_product_id as uk, ie_product_id as ie from marts.region_match order by uk, ie`,
    );
    pairs = rows;
  });

  const isRight = ({ uk, ie }: Pair) => goods.get(`uk ${uk}`) === goods.get(`ie ${ie}`);

  it('matches with equal barcode or base product number are all correct', () => {
    const coded = pairs.filter(({ tier }) => tier < 3);
    expect(coded.filter(({ tier }) => tier === 1).length).toBeGreaterThan(900);
    expect(coded.filter(({ tier }) => tier === 2).length).toBeGreaterThan(200);
    expect(coded.filter((pair) => !isRight(pair))).toEqual([]);
  });

  it('precision by tier equals docs/analyse/accuracy.md and the marts', async () => {
    expect(readText('docs/analyse/accuracy.md')).toContain(precisionTable(pairs, isRight, goods));
    const { rows } = await database.db.query(
      `select tier, precision_pct || '%' as precision from marts.region_match group by 1, 2 order by 1`,
    );
    expect(rows).toEqual([1, 2, 3].map((tier) => ({ tier, precision: boundOf(pairs, isRight, tier) })));
  });
});

/** The rows and the sentence below them, as the page has them. */
function precisionTable(
  pairs: readonly Pair[],
  isRight: (pair: Pair) => boolean,
  goods: ReadonlyMap<string, string>,
): string {
  const names = ['barcode', 'base product number', 'brand, name, content'];
  const rows = names.map((name, n) => {
    const judged = pairs.filter(({ tier }) => tier === n + 1);
    const right = judged.filter(isRight).length;
    return (
      `| ${n + 1} | ${name} | ${judged.length} | ${judged.length - right} | ` +
      `${percent(right / judged.length, Math.floor)} | ${boundOf(pairs, isRight, n + 1)} |`
    );
  });
  const articles = (region: string) =>
    new Set([...goods].filter(([product]) => product.startsWith(region)).map(([, article]) => article));
  const [uk, ie] = [articles('uk'), articles('ie')];
  const common = [...uk].filter((article) => ie.has(article));
  const found = new Set(pairs.filter(isRight).map(({ uk: id }) => goods.get(`uk ${id}`)));
  return [
    ...rows,
    '',
    `Of ${common.length} articles sold in both regions ${percent(found.size / common.length, Math.floor)} were found.`,
  ].join('\n');
}

function boundOf(pairs: readonly Pair[], isRight: (pair: Pair) => boolean, tier: number): string {
  const judged = pairs.filter((pair) => pair.tier === tier);
  return percent(precisionBound(judged.filter(isRight).length, judged.length), Math.floor);
}

function percent(share: number, round: (value: number) => number): string {
  return `${(round(share * 10_000) / 100).toFixed(2)}%`;
}
