import { compose, composeFollowers, composeReplay } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { dropOldCopies, listOldCopies } from '../../publish/replay/old-copies.ts';
import { type ReplayReport, type ReplayRequest, replayArchive } from '../../publish/replay/replay-archive.ts';
import type { Part } from '../../publish/replay/scope.ts';
import { endpointsOf } from '../../source/endpoints/index.ts';
import { using } from '../closing.ts';
import type { Console } from '../console.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion, readDate, wholeNumber } from '../option-values.ts';
import { replayJson } from '../replay/replay-json.ts';
import { describeNight, reportReplay } from '../replay/report-replay.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly region?: readonly RegionCode[];
  readonly endpoint?: string;
  readonly release?: number;
  readonly why?: string;
  readonly apply?: boolean;
  readonly dropOld?: boolean;
  readonly json?: boolean;
}

export const replay = defineVerb<Options>({
  declare(command) {
    command
      .option('--from <date>', 'YYYY-MM-DD; the first night', readDate)
      .option('--to <date>', 'YYYY-MM-DD; the last night', readDate)
      .option('--region <region>', 'uk or ie; may be repeated (default: both)', addRegion)
      .option('--endpoint <name>', 'only payloads of this endpoint, such as uk-category-page (default: all)')
      .option('--release <run>', 'release this held or partial run in the order of nights', wholeNumber(1))
      .option('--why <text>', 'with --release: the reason; stored in the certificate')
      .option('--apply', 'replace the nights with the result; the replaced rows are kept in another schema')
      .option('--drop-old', 'delete the rows kept by earlier replays')
      .option('--json', 'print JSON');
  },

  run(options, { config, clock, log, console, signal }) {
    const { from, to, apply = false, dropOld = false, json = false } = options;
    if ((from === undefined) !== (to === undefined) || (from === undefined && !dropOld)) {
      throw new UsageInvalid(
        'Name the nights: --from DATE --to DATE. --drop-old alone deletes the rows kept by earlier replays.',
      );
    }
    if (from !== undefined && to !== undefined && from > to)
      throw new UsageInvalid(`--from ${from} comes after --to ${to}.`);
    if (from === undefined) refuseWithoutNights(options);
    const scope = scopeOf(options);
    const release = releaseOf(options);
    return using(compose(config, { clock, log, name: 'replay' }), async (base) => {
      const { db } = base;
      const earlier = dropOld ? await listOldCopies(db) : null;
      if (from === undefined || to === undefined) {
        const dropped = await forgetCopies(db, earlier, console);
        if (json) await console.data(`${JSON.stringify({ version: 2, dropped })}\n`);
        return;
      }
      const request: ReplayRequest = {
        from,
        to,
        ...scope,
        release,
        apply,
        signal,
        onNight: (night) => console.say(describeNight(night)),
      };
      const report: ReplayReport = await replayArchive(composeReplay(base), request);
      if (json) await console.data(`${JSON.stringify(replayJson(request, report))}\n`);
      else await reportReplay(request, report, console);
      // Only after the replay: if it is refused, the earlier copies stay.
      await forgetCopies(db, earlier, console);
      if (apply) await composeFollowers(base).follow(signal);
    });
  },
});

/** Refuses options of a replay without nights, because they would have no effect. */
function refuseWithoutNights({ apply, release, endpoint, region }: Options): void {
  const ofNights = { '--apply': apply, '--release': release, '--endpoint': endpoint, '--region': region };
  const [said] = Object.entries(ofNights).filter(([, value]) => value !== undefined);
  if (said) throw new UsageInvalid(`${said[0]} needs nights: --from DATE --to DATE. Nothing was deleted.`);
}

function releaseOf({ release, why, endpoint }: Options): ReplayRequest['release'] {
  if (release === undefined && why === undefined) return undefined;
  if (release === undefined || why === undefined) {
    throw new UsageInvalid('--release RUN and --why TEXT go together: the certificate stores the reason of a release.');
  }
  if (endpoint !== undefined) throw new UsageInvalid('--release replays the whole night: leave --endpoint out.');
  return { runId: release, why };
}

/** Scope of an endpoint: pages of a category can only be replayed together with the taxonomy. */
function scopeOf({ endpoint, region }: Options): { regions: readonly RegionCode[]; parts: readonly Part[] } {
  if (endpoint === undefined) return { regions: region ?? regionCodes, parts: ['listing', 'detail'] };
  for (const code of regionCodes) {
    const { taxonomy, categoryPage, productDetails } = endpointsOf[code];
    const part: Part | null =
      endpoint === productDetails.name
        ? 'detail'
        : [taxonomy.name, categoryPage.name].includes(endpoint)
          ? 'listing'
          : null;
    if (part === null) continue;
    if (region && !region.includes(code))
      throw new UsageInvalid(`--endpoint ${endpoint} belongs to ${code}, not to ${region.join(' or ')}.`);
    return { regions: [code], parts: [part] };
  }
  const names = regionCodes.flatMap((code) => Object.values(endpointsOf[code]).map(({ name }) => name));
  throw new UsageInvalid(`--endpoint ${endpoint} cannot be replayed; choose one of: ${names.join(', ')}.`);
}

async function forgetCopies(
  db: Database,
  copies: readonly string[] | null,
  console: Console,
): Promise<readonly string[]> {
  if (copies === null) return [];
  const dropped = await dropOldCopies(db, copies);
  console.say(dropped.length === 0 ? 'No earlier replay has kept rows.' : `Deleted: ${dropped.join(', ')}.`);
  return dropped;
}
