import { z } from 'zod';
import { composeFollowers, composeReplay } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { count } from '../../base/format.ts';
import { regionCodes } from '../../base/model/index.ts';
import {
  type Difference,
  type Figures,
  type ReplayReport,
  type ReplayRequest,
  replay as replayNights,
} from '../../publish/replay/replay.ts';
import { tidyUp } from '../../publish/tidy-up.ts';
import { endpointsOf } from '../../source/endpoints/index.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, flag, option, readDate, reads, refuseReversed, releaseOf, wholeNumber } from '../option-values.ts';
import { formatTable } from '../output/table.ts';
import { printFound } from '../read-verb.ts';
import { withBase } from '../with-base.ts';

const endpoints = Object.values(endpointsOf).flatMap((own) => Object.values(own).map(({ name }) => name));

export const verb = defineVerb({
  options: {
    from: option('--from <date>', 'YYYY-MM-DD; the first night', readDate),
    to: option('--to <date>', 'YYYY-MM-DD; the last night', readDate),
    region: option('--region <region>', 'uk or ie; may be repeated (default: both)', addRegion),
    // A night is parsed again as a whole, so an endpoint only names its region.
    endpoint: option('--endpoint <name>', 'only the region of this endpoint', reads(z.enum(endpoints))),
    release: option('--release <run>', 'release this held or partial run in the order of nights', wholeNumber(1)),
    why: option('--why <text>', 'with --release: the reason; stored in the certificate', String),
    apply: flag('--apply', 'replace the nights with the result'),
    json: flag('--json', 'print JSON'),
  },

  run(options, invocation) {
    const { from, to, apply = false, json = false } = options;
    const { console, signal } = invocation;
    if (from === undefined || to === undefined) throw new UsageInvalid('Name the nights: --from DATE --to DATE.');
    refuseReversed(from, to);
    const release = releaseOf(options);
    const regions = (options.region ?? regionCodes).filter((code) => (options.endpoint ?? code).startsWith(code));
    if (regions.length === 0) throw new UsageInvalid(`--endpoint ${options.endpoint} is of another region.`);
    return withBase(invocation, async (base) => {
      const onNight: ReplayRequest['onNight'] = ({ region, snapshotDate, live, replayed }) => {
        const [before, after] = [inWords(live), inWords(replayed)];
        console.say(`${region} ${snapshotDate}: ${before}${before === after ? '' : ` → ${after}`}`);
      };
      const request: ReplayRequest = { from, to, regions, release, apply, signal, onNight };
      const report = await replayNights(composeReplay(base), request);
      const { isApplied, ...found } = report;
      const answer = { version: 4, from, to, regions, ...found, applied: isApplied };
      await printFound({ json: answer, ...reportText(report) }, { json }, invocation);
      if (isApplied) await tidyUp(base.db);
      if (apply) await composeFollowers(base).follow(signal);
    });
  },
});

function reportText({ nights, differences, isApplied }: ReplayReport) {
  const isSame = differences.length === 0 && nights.every(({ live, replayed }) => inWords(live) === inWords(replayed));
  const held = nights.filter(({ live }) => live.status === 'held');
  const result = isApplied ? 'Applied.' : 'Nothing was changed; --apply replaces the current data with this result.';
  return {
    text: differences.length > 0 ? formatTable(columns, differences.map(cellsOf), 72) : '',
    notes: [
      ...held.map(({ runId, region, snapshotDate, replayed }) => {
        const run = `Run ${runId} (${region} ${snapshotDate})`;
        return replayed.status === 'held'
          ? `${run} stays held and unpublished. \`pricebook certify --run ${runId}\` shows why.`
          : `${run} was held and ${isApplied ? 'is' : 'would be'} published.`;
      }),
      ...(isSame ? ['The replay gives the same result: nothing differs.'] : []),
      ...(isApplied || !isSame ? [result] : []),
    ],
  };
}

const columns = ['history', 'field', 'values', 'products', 'for example', 'current', 'replayed'];

function cellsOf({ region, kind, field, count: values, products, samples }: Difference): unknown[] {
  const [sample] = samples;
  const where = sample && [region, sample.productId, sample.snapshotDate].filter(Boolean).join(' ');
  return [kind, field, values, products, where, sample?.live, sample?.replayed];
}

/** `complete, 19,902 listed, 3 in quarantine`. */
function inWords({ status, certificate, productsListed, rejected }: Figures): string {
  const unread = rejected > 0 ? `, ${count(rejected)} in quarantine` : '';
  if (status !== 'published' || certificate === null) return `${status}${unread}`;
  return `${certificate.replaceAll('_', ' ')}, ${count(productsListed ?? 0)} listed${unread}`;
}
