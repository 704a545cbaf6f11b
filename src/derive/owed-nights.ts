import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { type RegionCode, regionCodes } from '../model/index.ts';
import { certifiedNights } from './certified-nights.ts';
import type { CertifiedNight, NightsToDerive } from './derivation.ts';
import { derivationRules } from './index.ts';

/**
 * The nights that were not derived yet, or not as they are now: from the first that is new, was crawled again, released,
 * or is no longer certified, on to the last. Null when there are none. `from` is the date to forget from.
 */
export async function owedNights(
  sql: Askable,
  region: RegionCode,
  rules = derivationRules,
): Promise<(NightsToDerive & { readonly from: string }) | null> {
  const nights = await certifiedNights(sql, region);
  const done = await rowsOf<{ runId: number; snapshotDate: string; rules: number }>(
    sql,
    'select run_id as "runId", snapshot_date as "snapshotDate", rules from derived.night where region = $1 order by snapshot_date',
    [region],
  );
  let first = 0;
  while (first < nights.length && first < done.length && isDone(nights[first]!, done[first]!, rules)) first++;
  const dates = [nights[first]?.snapshotDate, done[first]?.snapshotDate].filter((date) => date !== undefined);
  const from = dates.sort()[0];
  if (from === undefined) return null;
  return { region, nights: nights.slice(first), before: nights[first - 1] ?? null, from };
}

function isDone(
  night: CertifiedNight,
  done: { readonly runId: number; readonly snapshotDate: string; readonly rules: number },
  rules: number,
): boolean {
  return night.runId === done.runId && night.snapshotDate === done.snapshotDate && done.rules === rules;
}

/** Regions with nights that are to be derived. */
export async function regionsOwed(sql: Askable): Promise<RegionCode[]> {
  const owed: RegionCode[] = [];
  for (const region of regionCodes) if (await owedNights(sql, region)) owed.push(region);
  return owed;
}
