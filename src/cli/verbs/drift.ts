import { archiveAsFound } from '../../app/compose.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { takeDrift } from '../../followers/drift/drift.ts';
import { addRegion, option } from '../option-values.ts';
import { formatTable } from '../output/table.ts';
import { type NightDrift, readDrift } from '../read-drift.ts';
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
