import { type Base, composeFollowers, settingsOf } from '../../app/compose.ts';
import { RunRefused, UsageInvalid } from '../../base/errors.ts';
import { count, plural } from '../../base/format.ts';
import { regionCodes, regions } from '../../base/model/index.ts';
import { describeCost } from '../../crawl/run/cost.ts';
import type { Queryable } from '../../db/client.ts';
import { verifyNights } from '../../followers/audits/verify.ts';
import { releaseRun } from '../../publish/release.ts';
import { type Certificate, readCertificate } from '../../questions/certificates.ts';
import type { RowOf } from '../../questions/columns.ts';
import { evidence, evidenceInWords, meanings } from '../../web/certificate-words.ts';
import type { Invocation, ValuesOf } from '../define-verb.ts';
import { flag, option, readDate, readRegion, releaseOf, wholeNumber } from '../option-values.ts';
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
  const asked = region ? [region] : regionCodes;
  const wanted = run === undefined ? asked.map((each) => ({ region: each, date })) : [{ runId: run }];
  const read = await Promise.all(wanted.map((each) => readCertificate(db, each)));
  const certificates = read.filter((each): each is Certificate => each !== null);
  if (certificates.length === 0)
    throw new RunRefused(run === undefined ? 'No night with a certificate matches.' : `Run ${run} has no certificate.`);
  const texts = await Promise.all(certificates.map((each) => describeCertificate(db, each)));
  return { json: { version: 1, certificates }, text: texts.join('\n') };
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

/** Verdict, its meaning and reasons, then what was requested, declared and received. */
async function describeCertificate(db: Queryable, certificate: Certificate): Promise<string> {
  const { region, snapshotDate, runId, status, verdict, reasons, findings, cost, contentHash } = certificate;
  const { isVerified, verifiedAt, releasedBecause } = certificate;
  const { text, values } = evidence.of(runId);
  const { rows } = await db.query<RowOf<typeof evidence>>(text, values);
  const held = status === 'held' ? ', held back from publication' : '';
  const compared =
    verifiedAt &&
    `${isVerified ? 'matches' : 'DOES NOT MATCH'} the certificate, on ${verifiedAt.toISOString().slice(0, 10)}`;
  const facts: [string, string | null][] = [
    ...evidenceInWords(rows[0]),
    ['Cost', cost && describeCost(cost)],
    ['Content hash', contentHash],
    ['Rebuilt', contentHash && (compared ?? `not yet; \`pricebook certify --verify --run ${runId}\` compares it`)],
  ];
  const lines = [
    meanings[verdict],
    ...reasons.slice(0, reasonsShown).map((reason) => `* ${reason}`),
    reasons.length > reasonsShown && `* and ${count(reasons.length - reasonsShown)} more; --json has all`,
    releasedBecause !== null && `Released by a person: ${releasedBecause}`,
    ...findings.map(({ severity, message, samples }) => {
      const some = samples.length > 0 ? ` (${samples.slice(0, 3).join(', ')}${samples.length > 3 ? ' …' : ''})` : '';
      return `${severity === 'block' ? 'Blocks' : 'Warns'}: ${message}${some}`;
    }),
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(14)}${value}`])),
  ].filter((line) => line !== false);
  const night = `${regions[region].name}, night of ${snapshotDate}, run ${runId}`;
  return [`${night}: ${verdict.replaceAll('_', ' ')}${held}`, ...lines.map((line) => `  ${line}`)]
    .map((line) => `${line}\n`)
    .join('');
}
