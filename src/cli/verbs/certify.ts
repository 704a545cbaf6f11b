import { type Base, composeFollowers, settingsOf } from '../../app/compose.ts';
import { RunRefused, UsageInvalid } from '../../base/errors.ts';
import { plural } from '../../base/format.ts';
import { regionCodes } from '../../base/model/index.ts';
import { describeCost } from '../../crawl/run/cost.ts';
import { verifyNights } from '../../followers/audits/verify.ts';
import { releaseRun } from '../../publish/release.ts';
import { type Certificate, readCertificate } from '../../questions/certificates.ts';
import type { Invocation, ValuesOf } from '../define-verb.ts';
import { flag, option, readDate, readRegion, releaseOf, wholeNumber } from '../option-values.ts';
import { count } from '../output/words.ts';
import { type Found, readVerb } from '../read-verb.ts';

const declared = {
  run: option('--run <n>', 'this run', wholeNumber(1)).conflicts(['region', 'date']),
  region: option('--region <region>', 'uk or ie (default: both)', readRegion),
  date: option('--date <date>', 'the night of this date (default: the last)', readDate),
  verify: flag(
    '--verify',
    'rebuild nights from history and compare them with their certificates (default: all nights)',
  ),
  sample: option('--sample <n>', 'with --verify: this many nights, chosen at random', wholeNumber(1)),
  release: option('--release <run>', 'certify a held or partial run; needs --why', wholeNumber(1)).conflicts([
    ...['verify', 'run', 'region', 'date'],
  ]),
  why: option('--why <text>', 'with --release: the reason; stored in the certificate', String),
};
type Options = ValuesOf<typeof declared>;

export const verb = readVerb({
  options: declared,

  check(options) {
    releaseOf(options);
    if (options.sample !== undefined && !options.verify) throw new UsageInvalid('--sample needs --verify.');
  },

  async read(options, base, invocation) {
    const release = releaseOf(options);
    if (release) return releaseNow(base, release, invocation);
    return options.verify ? rebuild(base, options, invocation) : show(base, options);
  },
});

async function releaseNow(
  base: Base,
  { runId, why }: { readonly runId: number; readonly why: string },
  { config, console, signal }: Invocation,
): Promise<Found> {
  const needs = { ...base, settings: settingsOf(config) };
  const { region, snapshotDate, from } = await releaseRun(needs, { runId, why });
  const what = from === 'held' ? 'published' : 'certified; the next certified night reports the products that are gone';
  console.say(`${region} ${snapshotDate}: run ${runId} is released and ${what}.`);
  await composeFollowers(base).follow(signal);
  return { json: { version: 1, released: { runId, region, snapshotDate, from } } };
}

async function show({ db }: Base, { run, region, date }: Options): Promise<Found> {
  const regions = region ? [region] : regionCodes;
  const wanted = run === undefined ? regions.map((each) => ({ region: each, date })) : [{ runId: run }];
  const read = await Promise.all(wanted.map((each) => readCertificate(db, each)));
  const certificates = read.filter((each): each is Certificate => each !== null);
  if (certificates.length === 0)
    throw new RunRefused(run === undefined ? 'No night with a certificate matches.' : `Run ${run} has no certificate.`);
  return { json: { version: 1, certificates }, text: certificates.map(describeCertificate).join('') };
}

/** Exit code 1 if a night no longer matches its certificate. */
async function rebuild({ db, clock }: Base, options: Options, { console }: Invocation): Promise<Found> {
  const { region, date, run, sample } = options;
  const now = clock.now();
  const nights = await verifyNights(db, { region, date, runId: run, sample, seed: now.toISOString(), now }, (night) => {
    if (!night.isSame)
      console.say(`${night.region} ${night.snapshotDate} (run ${night.runId}) no longer matches its certificate.`);
  });
  if (nights.length === 0 && (region ?? date ?? run) !== undefined)
    throw new RunRefused('No published night matches: nothing was verified.');
  const changed = nights.filter(({ isSame }) => !isSame).length;
  const result = changed === 0 ? 'as certified' : `${count(changed)} not as certified`;
  return {
    json: { version: 1, nights },
    text: `${plural(nights.length, 'night')} rebuilt, ${result}\n`,
    code: changed === 0 ? 0 : 1,
  };
}

const reasonsShown = 20;

function describeCertificate(certificate: Certificate): string {
  const { region, snapshotDate, runId, status, verdict, reasons, findings, cost, contentHash } = certificate;
  const { isVerified, verifiedAt, releasedBecause } = certificate;
  const held = status === 'held' ? ', held back from publication' : '';
  const lines = [
    `${region} ${snapshotDate} (run ${runId}): ${verdict.replaceAll('_', ' ')}${held}`,
    ...reasons.slice(0, reasonsShown),
    reasons.length > reasonsShown && `…and ${count(reasons.length - reasonsShown)} more`,
    releasedBecause !== null && `released by a person: ${releasedBecause}`,
    ...findings.map(({ severity, message, samples }) => {
      const some = samples.length > 0 ? ` (${samples.slice(0, 3).join(', ')}${samples.length > 3 ? ' …' : ''})` : '';
      return `${severity === 'block' ? 'blocks' : 'warns'}: ${message}${some}`;
    }),
    cost !== null && `cost of its requests: ${describeCost(cost)}`,
    contentHash !== null && `content hash ${contentHash}`,
    verifiedAt !== null &&
      `${isVerified ? 'matched' : 'DID NOT MATCH'} its certificate on ${verifiedAt.toISOString().slice(0, 10)}`,
  ].filter((line) => line !== false);
  return lines.map((line, i) => `${i === 0 ? '' : '  '}${line}\n`).join('');
}
