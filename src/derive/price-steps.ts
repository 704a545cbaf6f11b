import type { Transaction } from '../db/client.ts';
import { copyBinary, integersOf } from '../db/copy-binary.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import { copyRows } from './write-figures.ts';

/** Products whose price on a night is another than on the night before; the nth entries of the lists are one product. */
export interface PriceSteps {
  readonly productKeys: number[];
  /** Minor units; -1 for what was not listed with a price. */
  readonly before: number[];
  readonly after: number[];
}

export function createPriceSteps(): PriceSteps {
  return { productKeys: [], before: [], after: [] };
}

export interface StepWriter {
  /** Nights in order. */
  add(snapshotDate: string, steps: PriceSteps): Promise<void>;
  /** Puts the steps of the last week and month up to the night added last together. */
  renewMoves(until: string): Promise<void>;
}

/** Days whose steps pages put together: the longest month. */
const windowDays = 31;

interface NightOfSteps {
  readonly date: string;
  readonly day: number;
  readonly steps: { readonly [Column in keyof PriceSteps]: ArrayLike<number> };
}

/** Writes the steps of nights from a date on. */
export async function createStepWriter(tx: Transaction, region: RegionCode, first: string): Promise<StepWriter> {
  let recent = await readRecent(tx, region, first);
  const lastStep = createNumbersByKey();
  for (const { day, steps } of recent) lastStep.setAll(steps.productKeys, day);
  return {
    async add(snapshotDate, steps) {
      const day = dayOf(snapshotDate);
      const isSteady = (key: number) => lastStep.get(key) <= day - windowDays;
      const { ordered, steady } = steadyFirst(steps, isSteady);
      lastStep.setAll(steps.productKeys, day);
      recent = recent.filter((night) => night.day > day - windowDays);
      recent.push({ date: snapshotDate, day, steps: ordered });
      await copyRows(
        tx,
        'price_step',
        ['region', 'snapshot_date', 'product_keys', 'prices_before', 'prices_after', 'steady'],
        [[region, snapshotDate, ...listsOf(ordered), steady]],
      );
    },

    async renewMoves(until) {
      await tx.query('delete from derived.price_move where region = $1', [region]);
      for (const since of await beginnings(tx, region, until)) {
        const moves = putTogether(recent.filter(({ date }) => date > since));
        if (moves.productKeys.length === 0) continue;
        await copyRows(
          tx,
          'price_move',
          ['region', 'since', 'until', 'product_keys', 'prices_before', 'prices_after'],
          [[region, since, until, ...listsOf(moves)]],
        );
      }
    },
  };
}

/** The steps of the days before a date that a window up to it can reach. */
async function readRecent(tx: Transaction, region: RegionCode, date: string): Promise<NightOfSteps[]> {
  const rows = await copyBinary(
    tx,
    `select snapshot_date::text, product_keys, prices_before, prices_after
     from derived.price_step
     where region = $1 and snapshot_date < $2 and snapshot_date > $2::date - ${windowDays}
     order by snapshot_date`,
    [region, date],
  );
  return rows.map(([on, productKeys, before, after]) => ({
    date: String(on),
    day: dayOf(String(on)),
    steps: { productKeys: integersOf(productKeys), before: integersOf(before), after: integersOf(after) },
  }));
}

function steadyFirst(
  { productKeys, before, after }: PriceSteps,
  isSteady: (productKey: number) => boolean,
): { readonly ordered: PriceSteps; readonly steady: number } {
  const steady: number[] = [];
  const others: number[] = [];
  productKeys.forEach((key, i) => {
    (isSteady(key) ? steady : others).push(i);
  });
  const order = [...steady, ...others];
  const inOrder = (list: readonly number[]) => order.map((i) => list[i]!);
  const ordered = { productKeys: inOrder(productKeys), before: inOrder(before), after: inOrder(after) };
  return { ordered, steady: steady.length };
}

/** A week and a month back: the last certified night that is so far back, or the first there is. */
async function beginnings(tx: Transaction, region: RegionCode, until: string): Promise<string[]> {
  const rows = await rowsOf<{ since: string }>(
    tx,
    `select distinct coalesce(
       (select max(snapshot_date) from derived.price_step where region = $1 and snapshot_date <= ($2::date - back)::date),
       (select min(snapshot_date) from derived.price_step where region = $1)) as since
     from unnest(array[interval '7 days', interval '1 month']) as back`,
    [region, until],
  );
  return rows.map(({ since }) => since);
}

/** What products cost before the first of their steps and after the last, where they had a price on both sides, and another. */
function putTogether(nights: readonly NightOfSteps[]): PriceSteps {
  const all = createPriceSteps();
  const places = createNumbersByKey();
  for (const { steps } of nights) {
    for (let i = 0; i < steps.productKeys.length; i++) {
      const key = steps.productKeys[i]!;
      const place = places.get(key) - 1;
      if (place >= 0) {
        all.after[place] = steps.after[i]!;
        continue;
      }
      places.set(key, all.productKeys.push(key));
      all.before.push(steps.before[i]!);
      all.after.push(steps.after[i]!);
    }
  }
  const moved = createPriceSteps();
  all.productKeys.forEach((key, i) => {
    const before = all.before[i]!;
    const after = all.after[i]!;
    if (before < 0 || after < 0 || before === after) return;
    moved.productKeys.push(key);
    moved.before.push(before);
    moved.after.push(after);
  });
  return moved;
}

/** Whole numbers by product key, 0 where none was set: a column as long as the highest key, a third of what a map takes. */
function createNumbersByKey() {
  let numbers = new Int32Array(1 << 16);
  const set = (key: number, value: number): void => {
    if (key >= numbers.length) {
      const more = new Int32Array(2 * key);
      more.set(numbers);
      numbers = more;
    }
    numbers[key] = value;
  };
  return {
    get: (key: number): number => numbers[key] ?? 0,
    set,
    setAll(keys: ArrayLike<number>, value: number): void {
      for (let i = 0; i < keys.length; i++) set(keys[i]!, value);
    },
  };
}

const listsOf = ({ productKeys, before, after }: PriceSteps): string[] =>
  [productKeys, before, after].map((list) => `{${list.join()}}`);

/** Whole days since 1970. */
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
