import { expect, test } from 'vitest';
import {
  AccessDenied,
  ArchiveFull,
  BudgetExhausted,
  ContractBroken,
  EndpointMissing,
  QuestionRefused,
  RateLimited,
  RedirectRefused,
  ServerUnable,
  UpstreamUnavailable,
} from '../../src/base/errors.ts';
import { pausedUntil } from '../../src/crawl/queue/paused-until.ts';

const now = new Date('2026-03-01T02:00:00Z');

test.each<[Error, string]>([
  [new BudgetExhausted('grocery', 'used up', new Date('2026-04-01T00:00:00Z')), '2026-04-01T00:00:00Z'],
  [
    new BudgetExhausted('grocery', 'used up', new Date('2026-04-01T00:00:00Z'), { isOfKey: true }),
    '2026-03-01T03:00:00Z',
  ],
  [new BudgetExhausted('grocery', 'turning just now', now), '2026-03-01T02:00:30Z'],
  [new BudgetExhausted('grocery', 'used up', null), '2026-03-01T03:00:00Z'],
  [new AccessDenied('grocery', 'no', 'KEY'), '2026-03-01T03:00:00Z'],
  [new RedirectRefused('grocery', null), '2026-03-01T03:00:00Z'],
  [new EndpointMissing('grocery', 'x'), '2026-03-01T03:00:00Z'],
  [new QuestionRefused('grocery', 400, 'x'), '2026-03-01T03:00:00Z'],
  [new ContractBroken('uk-taxonomy', ['x']), '2026-03-01T03:00:00Z'],
  [new Error('never heard of'), '2026-03-01T03:00:00Z'],
  [new RateLimited('grocery', 1_000), '2026-03-01T02:00:30Z'],
  [new RateLimited('grocery', 900_000), '2026-03-01T02:15:00Z'],
  [new UpstreamUnavailable('grocery', 'x'), '2026-03-01T02:00:05Z'],
  [new UpstreamUnavailable('grocery', 'x', { retryAfterMs: 120_000 }), '2026-03-01T02:02:00Z'],
  [new ServerUnable('PostgreSQL', 'x', 'x'), '2026-03-01T02:00:30Z'],
  [new ArchiveFull('x', new Error('x')), '2026-03-01T02:00:30Z'],
])('every pause ends: %s', (why, end) => {
  expect(pausedUntil(why, now)).toEqual(new Date(end));
});

test('pauses for a failing upstream grow to half a minute', () => {
  const why = new UpstreamUnavailable('grocery', 'x');
  const seconds = [1, 2, 3, 4, 9].map((times) => (pausedUntil(why, now, times).getTime() - now.getTime()) / 1_000);
  expect(seconds).toEqual([5, 10, 20, 30, 30]);
});
