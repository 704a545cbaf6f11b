import { beforeEach, describe, expect, it } from 'vitest';
import { createOutage, type Outage } from '../src/base/outage.ts';
import { isRedisConnectionError } from '../src/crawl/queue/redis.ts';
import { isConnectionError } from '../src/db/connection-error.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });

describe('what fails at a server', () => {
  let told: object[];
  let outage: Outage;
  const open = (isLost: (error: Error) => boolean) => createOutage({ warn: (fields) => told.push(fields) }, isLost);
  beforeEach(() => {
    told = [];
    outage = open(isRedisConnectionError);
  });
  const meet = (...errors: Error[]) => {
    for (const error of errors) outage.met(error, 'a worker met an error', { queue: 'crawl' });
  };

  it('is told once for each reason where a connection is lost, and again after one was made', () => {
    const closed = new Error('Connection is closed.');
    meet(refused, refused, closed, refused, closed);
    expect(told).toEqual([refused, closed].map(({ message: reason }) => ({ queue: 'crawl', reason })));
    outage.ended();
    meet(refused, refused);
    expect(told.length).toBe(3);
  });

  it.each([
    'OOM command not allowed when used memory > maxmemory.',
    'could not renew lock for job 7',
    'ERR Error running script',
  ])('is told each time where no connection is lost: %s', (reason) => {
    for (const isLost of [isRedisConnectionError, isConnectionError]) {
      told = [];
      outage = open(isLost);
      meet(new Error(reason), refused, new Error(reason), refused, new Error(reason));
      expect(told.filter((fields) => 'reason' in fields && fields.reason === reason).length).toBe(3);
      expect(told.length).toBe(4);
    }
  });

  it('is told no more once nobody waits for the server', () => {
    outage.stopTelling();
    meet(refused, new Error('could not renew lock for job 7'));
    expect(told).toEqual([]);
  });
});
