import { expect, test } from 'vitest';
import { createPatience } from '../../src/cli/patience.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';

const begin = new Date('2026-03-01T02:00:00Z').getTime();
const minute = 60_000;

function watch(patienceMs: number) {
  let nowMs = begin;
  const said: number[] = [];
  const patience = createPatience({ now: () => new Date(nowMs) }, patienceMs, (run) => said.push(run.runId));
  const isLeft = (afterMs: number, pausedReason: string | null, pauseMs: number) => {
    nowMs = begin + afterMs;
    const pausedUntil = pausedReason === null ? null : new Date(nowMs + pauseMs);
    return patience.isLeftFor({ runId: 7, pausedReason, pausedUntil } as unknown as Run);
  };
  return { isLeft, said };
}

test('a command waits for a failing upstream until its patience ends, and reports it once', () => {
  const { isLeft, said } = watch(5 * minute);
  expect([0, 1, 4].map((minutes) => isLeft(minutes * minute, 'upstream', 30_000))).toEqual([true, true, true]);
  expect(said).toEqual([7]);
  expect(isLeft(5 * minute, 'upstream', 30_000)).toBe(false);
});

test('the patience starts again after the upstream has answered', () => {
  const { isLeft, said } = watch(5 * minute);
  isLeft(0, 'upstream', 30_000);
  isLeft(4 * minute, null, 0);
  expect(isLeft(8 * minute, 'upstream', 30_000)).toBe(true);
  expect(said).toEqual([7, 7]);
});

test('a command does not wait if the upstream asks for a longer wait than its patience', () => {
  expect(watch(5 * minute).isLeft(0, 'upstream', 15 * minute)).toBe(false);
});

test('a command does not wait for a limit or a key', () => {
  expect(watch(5 * minute).isLeft(0, 'limit', 1_000)).toBe(false);
});
