import { archiveAsFound } from '../../app/compose.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import type { payloadDrift } from '../../db/tables/index.ts';
import type { Finding } from '../../followers/drift/compare.ts';
import { takeDrift } from '../../followers/drift/drift.ts';
import { addRegion, option } from '../option-values.ts';
import { formatTable } from '../output/table.ts';
import { readVerb } from '../read-verb.ts';

export const verb = readVerb({
  options: {
    region: option('--region <region>', 'uk or ie; repeatable (default: both)', addRegion),
  },

  async read({ region: regions = regionCodes }, base, { clock, signal }) {
    const { db } = base;
    const nights: NightDrift[] = [];
    for (const region of regions) {
      await takeDrift({ db, archive: archiveAsFound(base), clock }, region, signal);
      nights.push(...(await readDrift(db, region)));
    }
    const found = nights.flatMap(({ snapshotDate, endpoints }) =>
      endpoints.flatMap(({ endpoint, findings }) =>
        findings.map(({ severity, path, said }) => [snapshotDate, endpoint, severity, path, said]),
      ),
    );
    const columns = ['night', 'endpoint', 'severity', 'path', 'what'];
    return {
      json: { version: 3, nights: nights.map(({ runId, ...night }) => ({ run: runId, ...night })) },
      text: found.length > 0 ? formatTable(columns, found, 120) : '',
      notes: [
        ...regions.flatMap((region) => remarksOn(region, nights)),
        ...(found.some(([, , severity]) => severity === 'breaking') ? [advice] : []),
      ],
    };
  },
});

const advice =
  'A field is no longer read, or is read wrongly. Fix the parser in src/source/endpoints, then parse the ' +
  'archived nights again with `pricebook replay`; docs/operate/drift.md shows how.';

/** What is said of a region without a finding. */
function remarksOn(region: RegionCode, nights: readonly NightDrift[]): string[] {
  const night = nights.find((one) => one.region === region);
  if (!night) return [`${region}: no such night has payloads in the archive; \`pricebook runs\` lists all.`];
  const { snapshotDate, status, endpoints } = night;
  const named = `${region} ${snapshotDate}${status === 'published' ? '' : ` (${status})`}`;
  const before = endpoints.find(({ comparedWith }) => comparedWith !== null)?.comparedWith;
  if (!before) return [`${named}: there is no earlier certified night to compare with.`];
  return endpoints.every(({ findings }) => findings.length === 0) ? [`${named}: no difference from ${before}.`] : [];
}

/** Differences between a night's payloads and those of the certified night before it. */
interface NightDrift {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly runId: number;
  readonly status: string;
  readonly certificate: string | null;
  readonly endpoints: readonly EndpointDrift[];
}

type EndpointDrift = Pick<typeof payloadDrift.$inferSelect, 'endpoint' | 'payloads' | 'comparedWith'> & {
  readonly findings: readonly Finding[];
};

/** Drift of a region's last examined night, by its latest run; none if no night is examined. */
const readDrift = (db: Queryable, region: RegionCode): Promise<readonly NightDrift[]> =>
  camelRows<NightDrift>(
    db,
    `select r.region, r.snapshot_date, r.run_id, r.status::text, r.verdict::text as certificate, found.endpoints
     from ops.run r
     cross join lateral (
       select jsonb_agg(jsonb_build_object('endpoint', d.endpoint, 'payloads', d.payloads,
         'comparedWith', d.compared_with, 'findings', d.findings) order by d.endpoint) as endpoints
       from ops.payload_drift d where d.run_id = r.run_id and d.payloads > 0
     ) as found
     where r.region = $1 and found.endpoints is not null
     order by r.snapshot_date desc, r.run_id desc
     limit 1`,
    [region],
  );
