import { expect, it } from 'vitest';
import { limitErrors } from '../../src/base/limited-lines.ts';

it('errors of a server are logged once a minute per kind, with how many were left out, while it is needed', () => {
  const told: object[] = [];
  let nowMs = 0;
  const errors = limitErrors({ warn: (fields) => told.push(fields) }, () => nowMs);
  const meet = (...reasons: string[]) => {
    for (const reason of reasons) errors.met(new Error(reason), 'a worker met an error', { queue: 'crawl' });
  };
  meet('connect ECONNREFUSED 127.0.0.1:6379', 'Connection is closed.', 'connect ECONNREFUSED 127.0.0.1:6379');
  // They differ only in numbers and ids.
  for (let job = 1; job <= 1_000; job += 1) meet(`could not renew lock for job ${job}`);
  expect(told).toHaveLength(3);
  nowMs = 60_000;
  meet('could not renew lock for job 7');
  expect(told[3]).toEqual({ queue: 'crawl', reason: 'could not renew lock for job 7', leftOut: 999 });
  errors.stop();
  nowMs = 120_000;
  meet('Connection is closed.');
  expect(told).toHaveLength(4);
});
