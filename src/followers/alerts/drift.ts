import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { readDrift } from '../drift/read-drift.ts';
import type { Condition } from './condition.ts';

/** Payloads of the last night that break parsing. */
export async function driftConditions(db: Queryable, regions: readonly RegionCode[]): Promise<Condition[]> {
  const nights = (await Promise.all(regions.map((region) => readDrift(db, region, {})))).flat();
  return nights.flatMap(({ region, snapshotDate, endpoints }): Condition[] => {
    const broken = endpoints.filter(({ findings }) => findings.some(({ severity }) => severity === 'breaking'));
    if (broken.length === 0) return [];
    const names = broken.map(({ endpoint }) => endpoint).join(', ');
    return [
      {
        kind: 'drift',
        subject: `${region} ${snapshotDate}`,
        says: `${region} ${snapshotDate}: payloads of ${names} have changed in a way that breaks how they are read.`,
        advice:
          '`pricebook drift` reports what changed and where fields moved. Mend the parser, then replay the nights.',
      },
    ];
  });
}
