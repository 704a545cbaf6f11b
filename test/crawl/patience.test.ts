import { expect, test } from 'vitest';
import { clockFrom } from '../../src/base/clock.ts';
import { RequestFailed } from '../../src/base/errors.ts';
import { createPatience } from '../../src/crawl/patience.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import { ExchangeFailed } from '../../src/gateway/exchange.ts';

const minute = 60_000;
const run = { runId: 1 } as Run;

test.each([
  ['ECONNREFUSED', 5],
  ['UND_ERR_CONNECT_TIMEOUT', 5],
  ['EAI_AGAIN', 5],
  ['ENOTFOUND', 1],
  ['SELF_SIGNED_CERT_IN_CHAIN', 1],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 1],
])('an upstream that fails with %s is waited for %i minutes, and the reason is given once', (code, minutes) => {
  const clock = clockFrom(new Date('2026-03-01T02:00:00Z'));
  const waits: unknown[] = [];
  const patience = createPatience(clock, 5 * minute, (_, ...wait) => waits.push(wait));
  const cause = new ExchangeFailed('it failed', { cause: Object.assign(new Error('no'), { code }) });
  const why = new RequestFailed('unavailable', { where: 'grocery', what: 'it failed', cause });
  const isLeftAfter = (ms: number) => {
    clock.set(new Date(Date.parse('2026-03-01T02:00:00Z') + ms));
    // A stop holds requests back later.
    return patience.isLeftFor(
      run,
      ms < 60_000 ? why : new RequestFailed('waits', { where: 'grocery', reason: 'failing' }),
    );
  };
  const lefts = [0, 59_000, 61_000, 2.5 * minute, 4 * minute, 5.5 * minute].map(isLeftAfter);
  expect(lefts).toEqual([true, true, ...[61_000, 2.5 * minute, 4 * minute].map(() => minutes === 5), false]);
  expect(waits).toEqual([['it failed', minutes * minute]]);
});
