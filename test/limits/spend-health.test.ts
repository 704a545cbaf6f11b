import { expect, test } from 'vitest';
import type { Outcome } from '../../src/gateway/spend.ts';
import { type CircuitBreaker, closedBreaker, failuresToStop, nextBreaker } from '../../src/limits/circuit-breaker.ts';

const at = new Date('2026-03-05T12:00:00Z');
const later = (ms: number) => new Date(at.getTime() + ms);

function after(outcomes: readonly Outcome[], from: CircuitBreaker = closedBreaker, isTrial = false): CircuitBreaker {
  return outcomes.reduce((health, outcome) => nextBreaker(health, { outcome, at, isTrial }), from);
}

const failures = (count: number) =>
  Array.from({ length: count }, (): Outcome => ({ kind: 'failed', what: 'HTTP 502' }));

test('a burst of failures stops nothing while successes come between', () => {
  const burst = [...failures(failuresToStop - 1), { kind: 'ok' } as const, ...failures(failuresToStop - 1)];
  expect(after(burst)).toMatchObject({ state: 'ok', failuresInARow: failuresToStop - 1, lastError: 'HTTP 502' });
});

test('nothing but failures stops the listing for half a minute at a time', () => {
  const down = after(failures(failuresToStop));
  expect(down).toMatchObject({ state: 'failing', pausedUntil: later(30_000) });
  expect(nextBreaker(down, { outcome: { kind: 'failed' }, at: later(40_000), isTrial: true }).pausedUntil).toEqual(
    later(70_000),
  );
});

test('one question that is tried again and again does not stop the listing', () => {
  const again: Outcome = { kind: 'failed', what: 'HTTP 502', isAgain: true };
  expect(after([...failures(1), ...Array.from({ length: 100 }, () => again)])).toMatchObject({
    state: 'ok',
    failuresInARow: 1,
  });
});

test('only the request that was let through to see opens a stop again', () => {
  const denied = after([{ kind: 'denied', what: 'no key' }]);
  expect(after([{ kind: 'ok' }], denied)).toMatchObject({ state: 'denied', pausedUntil: later(300_000) });
  expect(after([{ kind: 'ok' }], denied, true)).toMatchObject({ state: 'ok', pausedUntil: null });
  expect(after([{ kind: 'refused' }], denied, true).state).toBe('ok');
});

test('a used-up quota pauses until it turns, or for an hour when nobody says', () => {
  expect(after([{ kind: 'quota', until: later(86_400_000) }])).toMatchObject({
    state: 'quota',
    pausedUntil: later(86_400_000),
  });
  expect(after([{ kind: 'quota', until: null }]).pausedUntil).toEqual(later(3_600_000));
});

test('failures and hurry do not hide why a listing was stopped', () => {
  const denied = after([{ kind: 'denied' }]);
  expect(after([...failures(30), { kind: 'rate_limited' }, { kind: 'aborted' }], denied).state).toBe('denied');
});

test('a look that fails after a refused key is a failure like any other: nobody refused the key this time', () => {
  const denied = after([...failures(5), { kind: 'denied', what: 'no key' }]);
  expect(after(failures(1), denied, true)).toMatchObject({
    state: 'ok',
    pausedUntil: null,
    failuresInARow: 1,
    lastError: 'HTTP 502',
  });
});

test('what fails after a stop does not become the reason that is told for it', () => {
  for (const kind of ['denied', 'quota'] as const) {
    expect(after(failures(3), after([{ kind, what: 'as the upstream said' }])).lastError).toBe('as the upstream said');
  }
});

test('the headers of any answer are remembered', () => {
  const quota = { limit: 500, remaining: 3, resetsAt: null };
  expect(after([{ kind: 'failed', quota }, { kind: 'ok' }])).toMatchObject({ quota, quotaSeenAt: at });
});
