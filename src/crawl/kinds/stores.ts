import { eq } from 'drizzle-orm';
import type { Store } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { storeCircle } from '../../db/tables/index.ts';
import { type StoreList, type StoreQuestion, storeList } from '../../source/endpoints/index.ts';
import { type Area, halve } from '../plan/area.ts';
import { circleAround, coverAreas } from '../plan/store-cover.ts';
import { stageStores } from '../stage/store.ts';
import { lockRun, type UnitRun } from '../units.ts';
import type { KeptUnit, Kind } from '../work.ts';

type Circle = typeof storeCircle.$inferSelect;

interface KeptCircle extends KeptUnit {
  readonly stores: readonly Store[];
}

/** Attempts per circle before the run goes on without its answer. */
const maxAttempts = 3;

/** Stores around the cells of a grid. */
export function storesOf({ runId }: UnitRun): Kind<Circle, StoreQuestion, StoreList, KeptCircle> {
  return {
    table: storeCircle,
    phase: 'units',
    endpoint: storeList,
    ask(cell) {
      const { centre, radiusMiles } = circleAround(cell);
      return { ...centre, radiusMiles };
    },
    maxAttempts: () => maxAttempts,

    prepare: (_, { records: { received, stores }, rejected }) => ({
      stores,
      values: { received, rejected: rejected.length },
    }),

    keep: (tx, group) =>
      stageStores(
        tx,
        runId,
        group.map(({ unit: { unitId }, kept: { stores } }) => ({ unitId, stores })),
      ),
  };
}

/** Plans the grid. */
export async function planCircles(tx: Transaction, runId: number, areas: readonly Area[]): Promise<void> {
  const cells = coverAreas(areas).map(({ cell }) => ({ runId, ...cell }));
  await tx.orm.insert(storeCircle).values(cells);
}

/** Answers with fewer stores are not suspected to be cut off, and smaller cells are not halved. */
const [minCap, minMiles] = [10, 0.5];

/** The circles of a run. */
export interface Circles {
  /** Circles that are planned; 0: none is left. */
  readonly outstanding: number;
  readonly all: number;
  readonly failed: number;
  /** Cells that cannot be halved any further although their answer may be cut off. */
  readonly full: number;
  readonly rejected: number;
}

/**
 * Plans the quarters of cells whose answer is at the cap, which is the largest number of stores in any answer. The
 * run's row is locked, because every process that finds nothing to claim comes here.
 */
export async function splitFull(tx: Transaction, runId: number): Promise<Circles> {
  await lockRun(tx, runId);
  const cells = await tx.orm.select().from(storeCircle).where(eq(storeCircle.runId, runId));
  const cap = Math.max(0, ...cells.map(({ received }) => received ?? 0));
  const atCap = cap < minCap ? [] : cells.filter(({ received }) => received === cap);
  const [full, small] = [atCap.filter(isHalvable), atCap.filter((cell) => !isHalvable(cell))];
  const names = new Set(cells.map(nameOf));
  const parts = full
    .flatMap(({ south, west, north, east }) => halve({ south, west, north, east }).flatMap(halve))
    .filter((part) => !names.has(nameOf(part)));
  const planned = cells.filter(({ status }) => status === 'planned').length;
  if (planned === 0 && parts.length > 0)
    await tx.orm.insert(storeCircle).values(parts.map((part) => ({ runId, ...part })));
  return {
    outstanding: planned > 0 ? planned : parts.length,
    all: cells.length,
    failed: cells.filter(({ status }) => status === 'failed').length,
    full: small.length,
    rejected: cells.reduce((sum, { rejected }) => sum + (rejected ?? 0), 0),
  };
}

const isHalvable = (cell: Area): boolean => circleAround(cell).neededMiles > minMiles;

const nameOf = ({ south, west, north, east }: Area): string => [south, west, north, east].join(' ');
