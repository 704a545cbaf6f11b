import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { packChangesOf, trueNights } from '../docs/true-nights.ts';
import { readText } from '../house/source-files.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';
import { precisionBound } from './precision-bound.ts';

interface Found {
  readonly product_id: string;
  readonly former_product_id: string | null;
  readonly route: string;
  readonly old_size: string;
  readonly new_size: string;
  readonly unit: string;
  readonly snapshot_date: string;
  readonly evidence: string;
}

const catalogue = { items: 4_000, seed: 12, packChanges: 0.015, dailyTurnover: 0.02 };
const nights = Array.from({ length: 12 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`);

/** Twelve nights of a supermarket with many pack changes, crawled once for all tests. */
describe('changes of packs, held against what the simulator knows', () => {
  const installation = useInstallation();
  let [simulator, book] = [] as unknown as [Simulator, DirectBook];
  const db = () => book.base.db;

  beforeAll(async () => {
    simulator = await createSimulator({ ...catalogue, pageSize: 60 });
    const { databaseUrl, queue } = installation;
    book = await openDirectBook({ upstream: simulator.url, env: { DATABASE_URL: databaseUrl, ...queue } });
    for (const date of nights) {
      simulator.change({ date });
      await book.night('uk', date);
      await deriveNights(db(), 'uk');
    }
  }, 240_000);
  // Runs before the database goes.
  afterAll(async () => {
    await book.close();
    await simulator.close();
  });

  it('at least 90% of pack changes are found, and docs/analyse/pack-changes.md says how many are true', async () => {
    const found = await rowsOf<Found & Record<string, unknown>>(
      db(),
      `select product_id, former_product_id, route, old_size::float8::text as old_size,
         new_size::float8::text as new_size, unit, evidence,
         snapshot_date from marts.fct_pack_change where region = 'uk'`,
    );
    // Changes first seen on the last two nights are not confirmed yet.
    const all = packChangesOf(trueNights('uk', { ...catalogue, nights: nights.length, lastNight: nights.at(-1)! }));
    const due = all.filter(({ date }) => date <= nights.at(-3)!);
    const named = ({ product_id, former_product_id, route, old_size, new_size, unit }: Omit<Found, 'evidence'>) =>
      [product_id, former_product_id, route, old_size, new_size, unit].join(' ');
    const trueOnes = all.map((one) =>
      named({
        ...{ product_id: one.productId, former_product_id: one.formerProductId, route: one.route, unit: one.unit },
        ...{ old_size: String(one.oldAmount), new_size: String(one.newAmount), snapshot_date: one.date },
      }),
    );
    const foundOnes = new Set(found.map(named));
    const missed = trueOnes.slice(0, due.length).filter((one) => !foundOnes.has(one));
    expect(new Set(due.map(({ route }) => route))).toEqual(new Set(['in_place', 'new_gtin', 'relaunch']));
    expect(missed.length / due.length).toBeLessThanOrEqual(0.1);

    const kindOf = ({ route, evidence }: Found) =>
      route !== 'relaunch' ? 0 : evidence.split(', ').includes('tpnb') ? 1 : 2;
    const kinds = ['`in_place`, `new_gtin`', '`relaunch`, same base product number', '`relaunch`, by name and price'];
    const rows = kinds.flatMap((name, kind) => {
      const judged = found.filter((one) => kindOf(one) === kind);
      if (judged.length === 0) return [];
      const right = judged.filter((one) => trueOnes.includes(named(one))).length;
      const bound = Math.floor(1_000 * precisionBound(right, judged.length)) / 10;
      return `| ${name} | ${judged.length} | ${right} | ${bound.toFixed(1)}% |`;
    });
    expect(readText('docs/analyse/pack-changes.md').match(/^\| `.*$/gm)).toEqual(rows);
  });

  it('pack changes are the same derived at once or again from the middle', async () => {
    const rows = () => rowsOf(db(), 'select t::text from derived.pack_change t order by 1');
    const nightByNight = await rows();
    for (const from of [nights[0]!, nights[6]!]) {
      await db().tx((tx) => forgetDerived(tx, 'uk', from));
      await deriveNights(db(), 'uk');
      expect(await rows()).toEqual(nightByNight);
    }
  });
});
