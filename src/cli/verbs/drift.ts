import { compose, composeCensuses } from '../../compose.ts';
import { diffOf, readMapping } from '../../drift/mapping-diff.ts';
import { type EndpointDrift, type NightDrift, readDrift } from '../../drift/read-drift.ts';
import type { MovedField } from '../../endpoints/move-fields.ts';
import { UsageInvalid } from '../../errors.ts';
import { type RegionCode, regionCodes } from '../../model/index.ts';
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
      const { archive, takeCensuses } = composeCensuses(base);
      const nights: NightDrift[] = [];
      for (const region of regions) {
        await takeCensuses(region, signal);
        nights.push(...(await readDrift({ db: base.db, archive }, region, { from, to })));
      }
      const mapping = readMapping();
      const needed = neededOf(nights.flatMap((night) => night.endpoints));
      const diff = needed.length === 0 ? null : diffOf(needed, mapping);
      if (json) {
        const shown = nights.map((night) => nightJson(night, mapping));
        await console.data(`${JSON.stringify({ version: 1, nights: shown, diff })}\n`);
        return;
      }
      const rows = nights.flatMap((night) =>
        night.endpoints.flatMap(({ endpoint, findings }) =>
          findings.map(({ severity, path, said }) => [night.snapshotDate, endpoint, severity, path, said]),
        ),
      );
      if (rows.length > 0) {
        const columns = ['night', 'endpoint', 'severity', 'path', 'what'];
        await console.data(formatTable(columns, rows, { longestCell: 90, width: console.dataWidth() }));
      }
      if (diff !== null) await console.data(`\n${diff}`);
      for (const line of wordsOn(nights, regions, spanWords(from, to))) console.say(line);
      if (diff !== null) {
        console.say(
          'The change above was tried on the payloads of the night: with it the contract reads more of them. `git apply` takes it from a file; then `pricebook replay` shows what it makes of the nights in the archive.',
        );
      }
    });
  },
});

function neededOf(drifts: readonly EndpointDrift[]): MovedField[] {
  const needed = drifts.flatMap(({ proposals }) => proposals.filter(({ isNeeded }) => isNeeded));
  return [...new Map(needed.map((move) => [`${move.endpoint} ${move.from} ${move.to}`, move])).values()];
}

function nightJson({ region, snapshotDate, runId, status, certificate, endpoints }: NightDrift, mapping: string) {
  return {
    region,
    snapshot_date: snapshotDate,
    run: runId,
    status,
    certificate,
    endpoints: endpoints.map(({ endpoint, payloads, comparedWith, findings, proposals }) => ({
      endpoint,
      payloads,
      compared_with: comparedWith,
      findings,
      proposals: proposals.map((proposal) => ({
        from: proposal.from,
        to: proposal.to,
        needed: proposal.isNeeded,
        diff: proposal.isNeeded ? diffOf([proposal], mapping) : null,
      })),
    })),
  };
}

/** Of the nights asked about; null: the last one. */
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
        ? `${region}: no night with payloads in the archive; crawl one, then look again.`
        : `${region}: no night ${span} has payloads in the archive; \`pricebook runs\` lists the nights there are.`;
    }
    for (const night of shown) yield* wordsOnNight(night);
  }
}

function* wordsOnNight({ region, snapshotDate, status, endpoints }: NightDrift): Generator<string> {
  const night = `${region} ${snapshotDate}${status === 'published' ? '' : ` (${status})`}`;
  const compared = Math.max(0, ...endpoints.map(({ comparedWith }) => comparedWith));
  if (compared === 0) yield `${night}: no certified night before it to compare with.`;
  else if (endpoints.every(({ findings }) => findings.length === 0))
    yield `${night}: payloads as on the ${count(compared)} certified nights before it.`;
  for (const { endpoint, proposals } of endpoints) {
    for (const { from, to, isNeeded } of proposals) {
      if (!isNeeded) {
        yield `${night}: ${endpoint} has ${to} at ${from} now; what is read of it is the same, so the mapping can stay.`;
      }
    }
  }
}
