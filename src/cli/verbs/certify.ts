import { Option } from 'commander';
import { type Base, compose, composeFollowers, composeStaging, settingsOf } from '../../app/compose.ts';
import { RunRefused, UsageInvalid } from '../../base/errors.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { type Certificate, judgedRunOf, readCertificate } from '../../crawl/status/certificates.ts';
import { type VerifiedNight, verifyNights } from '../../followers/audits/verify.ts';
import { releaseRun } from '../../publish/release-run.ts';
import { using } from '../closing.ts';
import type { Console } from '../console.ts';
import { defineVerb } from '../define-verb.ts';
import { describeCertificate } from '../describe-certificate.ts';
import { readDate, readRegion, wholeNumber } from '../option-values.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly run?: number;
  readonly region?: RegionCode;
  readonly date?: string;
  readonly verify?: boolean;
  readonly sample?: number;
  readonly release?: number;
  readonly why?: string;
  readonly json?: boolean;
}

export const certify = defineVerb<Options>({
  declare(command) {
    command
      .addOption(new Option('--run <n>', 'this run').argParser(wholeNumber(1)).conflicts(['region', 'date']))
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--date <date>', 'the night of this date (default: the last)', readDate)
      .option('--verify', 'rebuild nights from history and compare them with their certificates (default: all nights)')
      .option('--sample <n>', 'with --verify: this many nights, chosen at random', wholeNumber(1))
      .addOption(
        new Option('--release <run>', 'certify a held or partial run; needs --why')
          .argParser(wholeNumber(1))
          .conflicts(['verify', 'run', 'region', 'date']),
      )
      .option('--why <text>', 'with --release: the reason; stored in the certificate')
      .option('--json', 'print JSON');
  },

  run(options, { config, clock, log, console, signal }) {
    const { release, why, verify } = options;
    if ((release === undefined) !== (why === undefined)) {
      throw new UsageInvalid(
        '--release RUN and --why TEXT go together: the certificate stores the reason of a release.',
      );
    }
    if (options.sample !== undefined && !verify) throw new UsageInvalid('--sample needs --verify.');
    return using(compose(config, { clock, log, name: 'certify' }), async (base) => {
      if (release !== undefined) {
        const { db, runs } = base;
        const { region, snapshotDate, from, gone } = await releaseRun(
          { db, runs, clock, settings: settingsOf(config), restageIfBaseMoved: composeStaging(base) },
          { runId: release, why: why!, signal },
        );
        const what = from === 'held' ? 'published' : `certified; products now absent or delisted: ${count(gone ?? 0)}`;
        if (options.json) {
          const released = { run_id: release, region, snapshot_date: snapshotDate, from, gone };
          await console.data(`${JSON.stringify({ version: 1, released })}\n`);
        }
        console.say(`${region} ${snapshotDate}: run ${release} is released and ${what}.`);
        await composeFollowers(base).follow(signal);
        return undefined;
      }
      return verify ? rebuild(base, options, console) : show(base, options, console);
    });
  },
});

async function show({ db }: Base, { run, region, date, json }: Options, console: Console): Promise<undefined> {
  const runIds =
    run !== undefined
      ? [run]
      : await Promise.all((region ? [region] : regionCodes).map((each) => judgedRunOf(db, each, date ?? null)));
  const certificates: Certificate[] = [];
  for (const runId of runIds) {
    const certificate = runId === null ? null : await readCertificate(db, runId);
    if (certificate) certificates.push(certificate);
  }
  if (certificates.length === 0) {
    throw new RunRefused(run === undefined ? 'No night with a certificate matches.' : `Run ${run} has no certificate.`);
  }
  await console.data(
    json
      ? `${JSON.stringify({ version: 1, certificates: certificates.map(certificateJson) })}\n`
      : certificates.map(describeCertificate).join(''),
  );
}

function verifiedWords(nights: number, changed: number): string {
  const rebuilt = `${count(nights)} ${nights === 1 ? 'night' : 'nights'} rebuilt`;
  if (changed === 0)
    return `${rebuilt}, ${nights === 1 ? 'it matches its certificate' : 'all match their certificates'}`;
  return `${rebuilt}, ${count(changed)} ${changed === 1 ? 'does' : 'do'} not match`;
}

/** Exit code 1 if a night no longer matches its certificate. */
async function rebuild({ db, clock }: Base, options: Options, console: Console): Promise<number> {
  const { region, date, run, sample, json } = options;
  const now = clock.now();
  const nights = await verifyNights(db, { region, date, runId: run, sample, seed: now.toISOString(), now }, (night) => {
    if (!night.isSame)
      console.say(`${night.region} ${night.snapshotDate} (run ${night.runId}) no longer matches its certificate.`);
  });
  if (nights.length === 0 && (region ?? date ?? run) !== undefined) {
    throw new RunRefused('No published night matches: nothing was verified.');
  }
  const changed = nights.filter(({ isSame }) => !isSame);
  await console.data(
    json
      ? `${JSON.stringify({ version: 1, nights: nights.map(nightJson) })}\n`
      : `${verifiedWords(nights.length, changed.length)}\n`,
  );
  return changed.length === 0 ? 0 : 1;
}

function nightJson({ runId, region, snapshotDate, isSame, certified, rebuilt }: VerifiedNight) {
  return { run_id: runId, region, snapshot_date: snapshotDate, is_same: isSame, certified, rebuilt };
}

function certificateJson(certificate: Certificate) {
  return {
    run_id: certificate.runId,
    region: certificate.region,
    snapshot_date: certificate.snapshotDate,
    status: certificate.status,
    verdict: certificate.verdict,
    reasons: certificate.reasons,
    released_because: certificate.releasedBecause,
    findings: certificate.findings,
    content_hash: certificate.contentHash,
    computed_at: certificate.computedAt.toISOString(),
    verified_at: certificate.verifiedAt?.toISOString() ?? null,
    is_verified: certificate.isVerified,
    cost: certificate.cost,
    evidence: certificate.evidence,
  };
}
