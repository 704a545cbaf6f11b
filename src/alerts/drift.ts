import { rowsOf } from '../db/rows.ts';
import type { DriftNeeds } from '../drift/read-drift.ts';
import { readDrift } from '../drift/read-drift.ts';
import type { RegionCode } from '../model/index.ts';
import type { Condition } from './condition.ts';

/**
 * Payloads of the last night that break how they are read. Comparing takes longer than all other conditions, and changes only
 * with a new census, so what it said is kept until there is one.
 */
export function createDriftConditions(needs: DriftNeeds, regions: readonly RegionCode[]): () => Promise<Condition[]> {
  let known: { readonly census: string; readonly conditions: Condition[] } | null = null;
  return async () => {
    const [latest] = await rowsOf<{ census: string }>(
      needs.db,
      `select coalesce(max(run_id), 0) || ' ' || count(*) as census from ops.payload_census`,
    );
    if (known?.census === latest!.census) return known.conditions;
    const nights = (await Promise.all(regions.map((region) => readDrift(needs, region, {})))).flat();
    const conditions = nights.flatMap(({ region, snapshotDate, endpoints }): Condition[] => {
      const broken = endpoints.filter(({ findings }) => findings.some(({ severity }) => severity === 'breaking'));
      if (broken.length === 0) return [];
      return [
        {
          kind: 'drift',
          subject: `${region} ${snapshotDate}`,
          says: `${region} ${snapshotDate}: payloads of ${broken.map(({ endpoint }) => endpoint).join(', ')} have changed in a way that breaks how they are read.`,
          advice:
            '`pricebook drift` says what changed and proposes the fix; nights that were read wrongly are replayed.',
        },
      ];
    });
    known = { census: latest!.census, conditions };
    return conditions;
  };
}
