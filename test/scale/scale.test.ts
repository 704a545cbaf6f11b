import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Measured, middleRate, report } from './measure.ts';
import { processorSeconds, processTree } from './processor-time.ts';

const night: Measured = {
  queue: 'redis',
  workers: 1,
  killed: 0,
  allowed: null,
  pages: 100,
  requests: 100,
  perSecond: 25,
  jobs: 20,
  seconds: 4,
  statements: { data: 1_000, queue: 50 },
  processorSeconds: { workers: 2, postgres: 1, redis: 0.1 },
  broken: [],
};

describe('the table of what workers do together', () => {
  it('holds each number of workers against the fewest on the same queue', () => {
    const table = report([
      night,
      { ...night, workers: 4, perSecond: 75 },
      { ...night, queue: 'postgres', workers: 2, perSecond: 40 },
      { ...night, queue: 'postgres', workers: 8, perSecond: 160 },
    ]);
    const shares = table
      .split('\n')
      .flatMap((line) => /^\| (\w+) +\| (\d) +\| \S+ +\| (\d\.\d\d)/.exec(line)?.slice(1) ?? []);
    expect(shares).toEqual([
      'redis',
      '1',
      '1.00',
      'redis',
      '4',
      '0.75',
      'postgres',
      '2',
      '1.00',
      'postgres',
      '8',
      '1.00',
    ]);
    expect(table).toContain('| 10.0 + 0.5 ');
    expect(table).toContain('| 20.0 + 10.0 + 1.0 ');
    expect(table).toContain('broken: nothing');
  });

  it('tells apart nights that were held back, and says of whom something is not exact', () => {
    const table = report([night, { ...night, allowed: 50, perSecond: 49, killed: 1, broken: ['2 requests too many'] }]);
    expect(table).toMatch(/\| redis \| 1 +\| 1 +\| 50 +\| 0\.980 +\| 100 +\| NO +\|/);
    expect(table).toContain('broken: 1\nredis, 1 workers: 2 requests too many');
  });
});

describe('the rate in the middle', () => {
  it('is that of requests that arrive evenly, whatever comes before and after', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 100, max: 900 }), (rate, count) => {
        const even = Array.from({ length: count }, (_, i) => 60_000 + (i * 1_000) / rate);
        const slow = Math.floor(count * 0.05);
        const before = Array.from({ length: slow }, (_, i) => i * 1_000);
        const after = Array.from({ length: slow }, (_, i) => 10_000_000 + i * 1_000);
        expect(middleRate([...before, ...even, ...after])).toBeCloseTo(rate, 6);
      }),
    );
    expect(middleRate([])).toBe(0);
  });
});

describe.skipIf(process.platform !== 'linux')('processor time of processes', () => {
  it('is known of this one and those above it, and none of one that is not there', () => {
    expect(processorSeconds([process.pid])).toBeGreaterThan(0);
    expect(processTree(process.ppid)).toContain(process.pid);
    expect(processorSeconds([2 ** 30])).toBe(0);
  });
});
