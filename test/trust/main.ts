import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { flag, programOptions, wholeNumber } from '../support/program-options.ts';
import { listedTwice, runTrial, type TrialReport } from './trial.ts';

/**
 * `npm run injections -- --count 1000 --seed 1`: how many kinds of incompleteness are seen through. `--first-nights
 * 1000`: each of them on a night that has none before it; `--listed-twice`: where so much is listed twice that nights
 * leave categories out.
 */
const values = programOptions('injections', {
  count: wholeNumber(100),
  seed: wholeNumber(1),
  'first-nights': wholeNumber(200, 0),
  'listed-twice': flag,
});

const home = mkdtempSync(join(tmpdir(), 'pricebook-trust-'));
// When root runs it the server runs as another user, who must get in.
chmodSync(home, 0o755);
const server = await openEmbedded({ home, log: silentLog, settings: { fsync: 'off' } });
try {
  const report = await runTrial({
    count: values.count,
    seed: values.seed,
    env: { DATABASE_URL: server.url },
    firstNightsPerMille: values['first-nights'],
    ...(values['listed-twice'] ? { upstream: listedTwice } : {}),
    onNight: (done) => {
      if (done % 50 === 0) process.stderr.write(`${done} injections\n`);
    },
  });
  print(report);
  process.exitCode = report.falselyCertified.length + report.falselyAccused.length === 0 ? 0 : 1;
} finally {
  await server.close();
  await removeEmbedded(home);
  rmSync(home, { recursive: true, force: true });
}

function print(report: TrialReport): void {
  const lines = [
    ...Object.entries(report.byKind).map(
      ([kind, { partial, withinTolerance, complete }]) =>
        `${kind.padEnd(18)} ${partial} partial, ${withinTolerance} within tolerance, ${complete} mended and complete`,
    ),
    `certified though not the truth: ${report.falselyCertified.length}`,
    ...report.falselyCertified.map((line) => `  ${line}`),
    `certified with a second listing of a product lost: ${report.secondListingsLost.length}`,
    ...report.secondListingsLost.map((line) => `  ${line}`),
    `undisturbed nights: ${report.undisturbed}, of those not complete or not the truth: ${report.falselyAccused.length}`,
    ...report.falselyAccused.map((line) => `  ${line}`),
    `nights certified without walking every category: ${report.nightsLeavingOut}`,
    `requests on top of disturbed nights: ${report.requestsOnTop} on ${report.requestsPlanned} pages planned`,
    `${report.seconds.toFixed(0)} s`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
