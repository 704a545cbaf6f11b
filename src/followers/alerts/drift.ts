import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { readDrift } from '../drift/read-drift.ts';
import type { Condition } from './condition.ts';

/**
 * Payloads of the last night that break parsing. The result is cached until there is a new profile, because the
 * comparison takes longer than all other conditions.
 */
export function createDriftConditions(db: Queryable, regions: readonly RegionCode[]): () => Promise<Condition[]> {
  let known: { readonly profile: string; readonly conditions: Condition[] } | null = null;
  return async () => {
    const [latest] = await rowsOf<{ profile: string }>(
      db,
      `select coalesce(max(run_id), 0) || ' ' || count(*) as profile from ops.payload_profile`,
    );
    if (known?.profile === latest!.profile) return known.conditions;
    const nights = (await Promise.all(regions.map((region) => readDrift(db, region, {})))).flat();
    const conditions = nights.flatMap(({ region, snapshotDate, endpoints }): Condition[] => {
      const broken = endpoints.filter(({ findings }) => findings.some(({ severity }) => severity === 'breaking'));
      if (broken.length === 0) return [];
      return [
        {
          kind: 'drift',
          subject: `${region} ${snapshotDate}`,
          says:
            `${region} ${snapshotDate}: payloads of ${broken.map(({ endpoint }) => endpoint).join(', ')} have ` +
            'changed in a way that breaks how they are read.',
          advice:
            '`pricebook drift` reports what changed and where fields moved. Mend the parser, then replay the nights.',
        },
      ];
    });
    known = { profile: latest!.profile, conditions };
    return conditions;
  };
}
