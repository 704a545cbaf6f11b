import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { certifiedNights } from './certified-nights.ts';
import type { CertifiedNight, NightsToDerive } from './derivation.ts';
import { derivationRules } from './index.ts';

interface OwedNights extends NightsToDerive {
  /** May be empty: then there is only to forget. */
  readonly nights: readonly CertifiedNight[];
  readonly from: string;
  /** Whether something that was derived from `from` on is no longer right. */
  readonly isStale: boolean;
}

/**
 * The nights that were not derived yet, or not as they are now: from the first that is new, was crawled again,
 * released, or is no longer certified, on to the last. Null when there are none.
 */
export async function owedNights(
  sql: Askable,
  region: RegionCode,
  rules = derivationRules,
): Promise<OwedNights | null> {
  const nights = await certifiedNights(sql, region);
  const done = await rowsOf<{ runId: number; snapshotDate: string; rules: number }>(
    sql,
    'select run_id as "runId", snapshot_date as "snapshotDate", rules from derived.night where region = $1 order by snapshot_date',
    [region],
  );
  let first = 0;
  while (first < nights.length && first < done.length && isDone(nights[first]!, done[first]!, rules)) first++;
  // Where nothing follows what was forgotten, the night before it is derived again: it is the last now, and what a last
  // night says of those before it (the GEKS index of a first window) must be its own.
  if (first === nights.length && first < done.length && first > 0) first--;
  const dates = [nights[first]?.snapshotDate, done[first]?.snapshotDate].filter((date) => date !== undefined);
  const from = dates.sort()[0];
  if (from === undefined) return null;
  return { region, nights: nights.slice(first), before: nights[first - 1] ?? null, from, isStale: first < done.length };
}

/** Higher rules are a newer program's: two versions beside each other would otherwise derive the book in turns. */
function isDone(
  night: CertifiedNight,
  done: { readonly runId: number; readonly snapshotDate: string; readonly rules: number },
  rules: number,
): boolean {
  return night.runId === done.runId && night.snapshotDate === done.snapshotDate && done.rules >= rules;
}

/** Regions with nights that are to be derived. */
export async function regionsOwed(sql: Askable): Promise<RegionCode[]> {
  const owed: RegionCode[] = [];
  for (const region of regionCodes) if (await owedNights(sql, region)) owed.push(region);
  return owed;
}

/** How many nights of a region are to be derived. */
export async function countNightsOwed(sql: Askable, region: RegionCode): Promise<number> {
  return (await owedNights(sql, region))?.nights.length ?? 0;
}
