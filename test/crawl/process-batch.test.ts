import { describe, expect, test } from 'vitest';
import { processBatch } from '../../src/crawl/process-batch.ts';
import type { Database } from '../../src/db/client.ts';
import type { Run } from '../../src/ledger/runs.ts';

const never = new AbortController().signal;
const giveBack = async () => {};

describe('a batch', () => {
  test('is worked on until nothing of it is left to claim, then the run goes on', async () => {
    const left = [[1, 2], [2], []];
    const { context, worked, work } = bench();
    await processBatch(context, never, { runId: 1, key: 'batch', claim: async () => left.shift()!, work, giveBack });
    expect(worked).toEqual([1, 2, 2]);
    expect(context.advanced).toBe(1);
  });

  test('is in progress once: a second delivery leaves it to the first', async () => {
    const { context, worked, work } = bench();
    const left = [[1], []];
    const batch = { runId: 1, key: 'batch', claim: async () => left.shift() ?? [], work, giveBack };
    await Promise.all([processBatch(context, never, batch), processBatch(context, never, batch)]);
    expect(worked).toEqual([1]);
    expect(context.inHand.size).toBe(0);
  });

  test.each([
    ['waits', { pausedFor: 'the quota is used up', pausedUntil: new Date(1) }],
    ['is over', null],
  ])('is left alone while its run %s', async (_, state) => {
    const { context, worked, work } = bench(state);
    await processBatch(context, never, { runId: 1, key: 'batch', claim: async () => [1], work, giveBack });
    expect(worked).toEqual([]);
  });

  test('is in progress until its last unit has ended, also when one fails unexpectedly', async () => {
    const { context } = bench();
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = (unit: number) => (unit === 1 ? Promise.reject(new TypeError('oops')) : slow);
    const done = processBatch(context, never, { runId: 1, key: 'batch', claim: async () => [1, 2], work, giveBack });
    const outcome = expect(done).rejects.toThrow('oops');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(context.inHand.has('batch')).toBe(true);
    release();
    await outcome;
    expect(context.inHand.size).toBe(0);
  });

  test('is not taken up again once the worker is stopping', async () => {
    const { context, worked, work } = bench();
    const stopping = new AbortController();
    const claim = async () => {
      stopping.abort();
      return [1];
    };
    await processBatch(context, stopping.signal, { runId: 1, key: 'batch', claim, work, giveBack });
    expect(worked).toEqual([1]);
  });
});

function bench(state: Partial<Run> | null = {}) {
  const run = { runId: 1, pausedFor: null, pausedUntil: null, ...state } as Run;
  const worked: number[] = [];
  const context = {
    // Asked only on behalf of runs that waited; test/corridor/waiting.test.ts has those.
    db: undefined as unknown as Database,
    clock: { now: () => new Date(0) },
    inHand: new Set<string>(),
    settings: { firstRestMs: 1 },
    stagedRun: async () =>
      state === null ? null : { runId: 1, epoch: 1, region: 'uk' as const, categoryNos: new Map(), run },
    advanced: 0,
    dispatch: async () => {
      context.advanced += 1;
    },
  };
  return { context, worked, work: async (unit: number) => void worked.push(unit) };
}
