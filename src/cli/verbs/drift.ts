import { archiveAsFound, compose } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Finding } from '../../followers/drift/finding.ts';
import { type NightDrift, readDrift } from '../../followers/drift/read-drift.ts';
import { takeProfiles } from '../../followers/drift/take-profiles.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, readDate } from '../option-values.ts';
import { formatTable } from '../output/table.ts';

interface Options {
  readonly region?: readonly RegionCode[];
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

export const drift = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie; repeatable (default: both)', addRegion)
      .option('--from <date>', 'YYYY-MM-DD; the first night (default: the last night only)', readDate)
      .option('--to <date>', 'YYYY-MM-DD; the last night', readDate)
      .option('--json', 'print JSON');
  },

  run({ region: regions = regionCodes, from = null, to = null, json }, { config, clock, log, console, signal }) {
    if (from !== null && to !== null && from > to) throw new UsageInvalid(`--from ${from} is after --to ${to}.`);
    return using(compose(config, { clock, log, name: 'drift' }), async (base) => {
      const archive = archiveAsFound(base);
      const nights: NightDrift[] = [];
      for (const region of regions) {
        await takeProfiles({ db: base.db, archive, clock }, region, signal);
        nights.push(...(await readDrift(base.db, region, { from, to })));
      }
      if (json) {
        await console.data(`${JSON.stringify({ version: 2, nights: nights.map(nightJson) })}\n`);
        return;
      }
      const rows = nights.flatMap((night) =>
        night.endpoints.flatMap(({ endpoint, findings }) =>
          findings.map((finding) => [
            night.snapshotDate,
            endpoint,
            finding.severity,
            finding.path,
            whatChanged(finding),
          ]),
        ),
      );
      if (rows.length > 0) {
        const columns = ['night', 'endpoint', 'severity', 'path', 'what'];
        await console.data(formatTable(columns, rows, 120));
      }
      for (const line of wordsOn(nights, regions)) console.say(line);
      if (nights.some(({ endpoints }) => endpoints.some(({ findings }) => findings.some(isBreaking)))) {
        console.say(
          'A field is no longer read, or is read wrongly. Fix the parser in src/source/endpoints, then parse the ' +
            'archived nights again with `pricebook replay`; docs/operate/drift.md shows how.',
        );
      }
    });
  },
});

const isBreaking = ({ severity }: Finding): boolean => severity === 'breaking';

const whatChanged = ({ said, movedTo }: Finding): string => (movedTo ? `${said}; now probably at ${movedTo}` : said);

function nightJson({ region, snapshotDate, runId, status, certificate, endpoints }: NightDrift) {
  return {
    region,
    snapshot_date: snapshotDate,
    run: runId,
    status,
    certificate,
    endpoints: endpoints.map(({ endpoint, payloads, comparedWith, findings }) => ({
      endpoint,
      payloads,
      compared_with: comparedWith,
      findings: findings.map(({ kind, severity, path, said, movedTo }) => ({
        kind,
        severity,
        path,
        said,
        moved_to: movedTo ?? null,
      })),
    })),
  };
}

function* wordsOn(nights: readonly NightDrift[], regions: readonly RegionCode[]): Generator<string> {
  for (const region of regions) {
    const shown = nights.filter((night) => night.region === region);
    if (shown.length === 0) yield `${region}: no such night has payloads in the archive; \`pricebook runs\` lists all.`;
    for (const { snapshotDate, status, endpoints } of shown) {
      const night = `${region} ${snapshotDate}${status === 'published' ? '' : ` (${status})`}`;
      const before = endpoints.find(({ comparedWith }) => comparedWith !== null)?.comparedWith;
      if (!before) yield `${night}: there is no earlier certified night to compare with.`;
      else if (endpoints.every(({ findings }) => findings.length === 0))
        yield `${night}: no difference from ${before}.`;
    }
  }
}
