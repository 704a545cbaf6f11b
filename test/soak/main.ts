import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { createChance } from '../chaos/chance.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { anyText, flag, programOptions, wholeNumber } from '../support/program-options.ts';
import { drawNight } from './draw-night.ts';
import { openLogbook, type PlayedNight } from './logbook.ts';
import { compareWithTruth, playNight } from './play-night.ts';
import { report, type SoakOutcome } from './report.ts';
import { takeSample } from './sample.ts';
import { freePort, openSite } from './site.ts';

/**
 * `npm run soak [-- --nights N --items N --seed S --book FOLDER]`: a book played for years of nights with faults. With
 * a folder it is kept there, and goes on the next time until it has so many nights.
 */
const values = programOptions('soak', {
  nights: wholeNumber(1_000),
  items: wholeNumber(3_000),
  seed: wholeNumber(1),
  'verify-every': wholeNumber(50),
  book: anyText('FOLDER'),
  verbose: flag,
});
const { nights, items, seed } = values;
/** A short book is held against the truth, too. */
const verifyEvery = Math.min(values['verify-every'], Math.max(1, Math.floor(nights / 2)));
/** Older nights that are rebuilt whenever one is held against the truth; all of them are in the end. */
const rebuilt = 20;

const home = values.book === undefined ? mkdtempSync(join(tmpdir(), 'pricebook-soak-')) : resolve(values.book);
if (!existsSync(home)) mkdirSync(home, { recursive: true });
const logbook = openLogbook(home, { items: items, seed: seed }, await freePort());
const broken: string[] = [];
const audits = { rebuilt: 0, changed: 0, comparedAgain: 0 };
const say = (text: string) => process.stderr.write(`${text}\n`);
let outcome: SoakOutcome;

const site = await openSite(home, { items: items, seed: seed }, logbook.port);
try {
  for (let night = logbook.nights.length; night < nights; night += 1) {
    const plan = drawNight(seed, night, verifyEvery);
    const usualSeconds = logbook.nights.at(-1)?.seconds ?? 5;
    const played = await playNight(site, { night, plan, usualSeconds });
    const truth: { readonly differences?: number; readonly learntLater?: number } = plan.isVerified
      ? await verify(night, played.verdict)
      : {};
    const sample = await takeSample(site.db, site.archive);
    logbook.add({ ...played, ...truth, session: logbook.session, sample });
    if (values.verbose)
      say(
        `${played.date}: ${played.seconds.toFixed(1)} s, ${JSON.stringify({ ...played.struck, attempts: played.attempts, verdict: played.verdict })}`,
      );
    if ((night + 1) % 10 === 0 || plan.isVerified) {
      const { resident, catalog, ops } = sample;
      say(
        `${night + 1} nights: ${inMegabytes(resident)} resident, catalog ${inMegabytes(catalog)}, ops ${inMegabytes(ops)}${
          truth.differences === undefined ? '' : `; held against the truth: ${truth.differences} differences`
        }`,
      );
    }
  }
  await audit(undefined);
  broken.push(...site.errors.map((line) => `logged: ${line.trim()}`));
  for (const { night, differences = 0 } of logbook.nights) {
    if (differences > 0) broken.push(`night ${night + 1} differed from the truth in ${differences} products`);
  }
  outcome = { nights: logbook.nights, audits, broken };
} finally {
  await site.close();
  if (values.book === undefined) {
    await removeEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
}
process.stdout.write(report(outcome));
process.exitCode = outcome.broken.length === 0 ? 0 : 1;

/** A night that was calm is certified and is the truth, and so is one before it that was found true. */
async function verify(night: number, verdict: string): Promise<Pick<PlayedNight, 'differences' | 'learntLater'>> {
  if (!verdict.startsWith('complete')) broken.push(`night ${night + 1} was calm and came out as ${verdict}`);
  const { differences, learntLater, first } = await compareWithTruth(site, night);
  if (first !== null) say(`night ${night + 1} differs in ${differences} products, such as ${first}`);
  if (learntLater > 0 && verdict === 'complete')
    broken.push(`night ${night + 1} is complete and lacks ${learntLater} listings`);
  const before = logbook.nights.filter((played) => played.differences === 0);
  if (before.length > 0) {
    const older = createChance(night).pick(before).night;
    const again = await compareWithTruth(site, older);
    audits.comparedAgain += 1;
    if (again.first !== null) broken.push(`night ${older + 1}, asked on night ${night + 1}, differs: ${again.first}`);
  }
  await audit(rebuilt);
  return { differences, learntLater };
}

/** What `pricebook certify --verify` does, and every invariant. */
async function audit(sample: number | undefined): Promise<void> {
  const now = site.clock.now();
  const verified = await verifyNights(site.db, { sample, seed: now.toISOString(), now });
  const changed = verified.filter(({ isSame }) => !isSame);
  audits.rebuilt += verified.length;
  audits.changed += changed.length;
  broken.push(
    ...changed.map(({ region, snapshotDate }) => `${region} ${snapshotDate} no longer reads as it was certified`),
    ...(await brokenInvariants(site.db)),
  );
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
