import { expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { runTrial } from './trial.ts';

const installation = useInstallation();

/** `npm run injections -- --count 1000` plays many more. */
test('nights in which the upstream keeps something to itself are repaired or not certified, those between are complete', {
  timeout: 240_000,
}, async () => {
  const { databaseUrl, queue } = installation;
  const env = { DATABASE_URL: databaseUrl, ...queue };
  const report = await runTrial({ count: 10, seed: 5, env, upstream: { superDepartments: 6 } });
  expect(report.falselyCertified).toEqual([]);
  expect(report.falselyAccused).toEqual([]);
  expect(report.undisturbed).toBe(11);
  const tallies = Object.values(report.byKind);
  // The trial tries something: some nights cannot be repaired, some are.
  expect(tallies.reduce((sum, { partial }) => sum + partial, 0)).toBeGreaterThan(0);
  expect(tallies.reduce((sum, { complete }) => sum + complete, 0)).toBeGreaterThan(0);
});
