import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { regionMatch } from '../../src/followers/derive/region-match.ts';
import { root } from '../house/source-files.ts';
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
    for (const region of ['uk', 'ie'] as const) await deriveNights(db, region, { all: [regionMatch] });
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

  it('precision by tier equals docs/analyse/two-regions-precision.md (-u rewrites it)', async () => {
    await expect(report(pairs, isRight, goods)).toMatchFileSnapshot(
      join(root, 'docs/analyse/two-regions-precision.md'),
    );
  });

  it('codes with two sizes are excluded and reported', async () => {
    const { rows } = await database.db.query<{ uk: string; ie: string; content: string }>(
      `select uk_product_id as uk, ie_product_id as ie, uk_content - ie_content as content
       from marts.region_match_alarm`,
    );
    expect(rows.length).toBeGreaterThan(30);
    for (const { uk, ie, content } of rows) {
      expect(goods.get(`uk ${uk}`)).not.toBe(goods.get(`ie ${ie}`));
      expect(Number(content)).not.toBe(0);
    }
    const alarmed = new Set(rows.map(({ uk, ie }) => `${uk} ${ie}`));
    expect(pairs.filter(({ uk, ie }) => alarmed.has(`${uk} ${ie}`))).toEqual([]);
  });
});

function report(pairs: readonly Pair[], isRight: (pair: Pair) => boolean, goods: ReadonlyMap<string, string>): string {
  const names = ['barcode', 'base product number', 'brand, name, content'];
  const rows = names.map((name, n) => {
    const judged = pairs.filter(({ tier }) => tier === n + 1);
    const right = judged.filter(isRight).length;
    const bound = percent(precisionBound(right, judged.length), Math.floor);
    return (
      `| ${n + 1} | ${name} | ${judged.length} | ${judged.length - right} | ` +
      `${percent(right / judged.length, Math.floor)} | ${bound} |`
    );
  });
  const articles = (region: string) =>
    new Set([...goods].filter(([product]) => product.startsWith(region)).map(([, article]) => article));
  const [uk, ie] = [articles('uk'), articles('ie')];
  const common = [...uk].filter((article) => ie.has(article));
  const found = new Set(pairs.filter(isRight).map(({ uk: id }) => goods.get(`uk ${id}`)));
  return [
    '# Precision of the matches',
    '',
    'This page shows how often a match of the two regions is right. ' +
      'It judges every pair found in a simulated book of 4,000',
    'products per region on three nights a month apart, with relisted products and decoys. ' +
      '"At least" is the one-sided 95%',
    'bound by Clopper and Pearson. `npx vitest run test/derive/region-match-precision.test.ts -u` computes it again.',
    '',
    '| tier | equal | pairs | wrong | precision | at least |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    `Of ${common.length} articles sold in both regions ${percent(found.size / common.length, Math.floor)} were found.`,
    '',
    'The simulator shows how well the rules work, not how well the supermarket keeps its codes. ' +
      'To judge your own book, check',
    'a random sample by hand. 400 correct pairs of 400 bound the precision at 99.25%:',
    '',
    '```sql',
    'select * from marts.region_match where tier = 1 order by md5(uk_product_id || ie_product_id) limit 400',
    '```',
    '',
  ].join('\n');
}

function percent(share: number, round: (value: number) => number): string {
  return `${(round(share * 10_000) / 100).toFixed(2)}%`;
}
