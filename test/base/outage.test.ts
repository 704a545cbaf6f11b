import { beforeEach, describe, expect, it } from 'vitest';
import { createOutage, type Outage } from '../../src/base/outage.ts';
import { isRedisConnectionError } from '../../src/crawl/queue/redis.ts';
import { isConnectionError } from '../../src/db/connection-error.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });

describe('failures of a server', () => {
  let told: object[];
  let outage: Outage;
  let nowMs: number;
  const open = (isLost: (error: Error) => boolean) =>
    createOutage({ warn: (fields) => told.push(fields) }, isLost, () => nowMs);
  beforeEach(() => {
    told = [];
    nowMs = 0;
    outage = open(isRedisConnectionError);
  });
  const meet = (...errors: Error[]) => {
    for (const error of errors) outage.met(error, 'a worker met an error', { queue: 'crawl' });
  };

  it('each reason of a lost connection is logged once until a connection is made, at most once a minute', () => {
    const closed = new Error('Connection is closed.');
    meet(refused, refused, closed, refused, closed);
    expect(told).toEqual([refused, closed].map(({ message: reason }) => ({ queue: 'crawl', reason })));
    nowMs = 120_000;
    meet(refused, refused);
    expect(told.length).toBe(2);
    outage.ended();
    meet(refused, refused);
    expect(told.length).toBe(3);
    outage.ended();
    meet(refused);
    expect(told.length).toBe(3);
  });

  it.each([
    'OOM command not allowed when used memory > maxmemory.',
    'could not renew lock for job 7',
    'ERR Error running script',
  ])('failures without a lost connection are logged once a minute with the number of omitted ones: %s', (reason) => {
    for (const isLost of [isRedisConnectionError, isConnectionError]) {
      told = [];
      outage = open(isLost);
      meet(new Error(reason), refused, new Error(reason), refused, new Error(reason));
      nowMs += 60_000;
      meet(new Error(reason), refused, new Error(reason));
      expect(told.filter((fields) => 'reason' in fields && fields.reason === reason)).toEqual([
        { queue: 'crawl', reason },
        { queue: 'crawl', reason, leftOut: 2 },
      ]);
      expect(told.length).toBe(3);
    }
  });

  it('failures that differ only in numbers and ids are one kind', () => {
    for (let job = 1; job <= 1_000; job += 1) meet(new Error(`could not renew lock for job ${job}`));
    expect(told.length).toBe(1);
  });

  it('a failure is no longer logged once the server is not needed', () => {
    outage.stopTelling();
    meet(refused, new Error('could not renew lock for job 7'));
    expect(told).toEqual([]);
  });
});
