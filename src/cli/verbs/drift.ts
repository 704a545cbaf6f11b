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
import { count } from '../output/words.ts';

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
        await console.data(`${JSON.stringify({ version: 1, nights: nights.map(nightJson) })}\n`);
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
        await console.data(formatTable(columns, rows, { longestCell: 120, width: console.dataWidth() }));
      }
      for (const line of wordsOn(nights, regions, spanWords(from, to))) console.say(line);
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

const whatChanged = ({ said, movedTo }: Finding): string =>
  movedTo ? `${said}; now at ${movedTo.path} (certainty: ${movedTo.certainty})` : said;

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
        moved_to: movedTo?.path ?? null,
        certainty: movedTo?.certainty ?? null,
      })),
    })),
  };
}

/** Words for the requested nights; null: the last night. */
function spanWords(from: string | null, to: string | null): string | null {
  if (from === null && to === null) return null;
  if (from === to) return `on ${from}`;
  return [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ');
}

function* wordsOn(
  nights: readonly NightDrift[],
  regions: readonly RegionCode[],
  span: string | null,
): Generator<string> {
  for (const region of regions) {
    const shown = nights.filter((night) => night.region === region);
    if (shown.length === 0) {
      yield span === null
        ? `${region}: no night has payloads in the archive; crawl one first.`
        : `${region}: no night ${span} has payloads in the archive; \`pricebook runs\` lists all nights.`;
    }
    for (const night of shown) yield* wordsOnNight(night);
  }
}

function* wordsOnNight({ region, snapshotDate, status, endpoints }: NightDrift): Generator<string> {
  const night = `${region} ${snapshotDate}${status === 'published' ? '' : ` (${status})`}`;
  const compared = Math.max(0, ...endpoints.map(({ comparedWith }) => comparedWith));
  if (compared === 0) yield `${night}: there is no earlier certified night to compare with.`;
  else if (endpoints.every(({ findings }) => findings.length === 0)) {
    const before = compared === 1 ? 'certified night' : `${count(compared)} certified nights`;
    yield `${night}: no difference from the ${before} before it.`;
  }
}
