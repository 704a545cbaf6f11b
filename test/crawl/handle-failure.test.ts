import { describe, expect, test } from 'vitest';
import {
  AccessDenied,
  BudgetExhausted,
  ContractBroken,
  EndpointDisabled,
  EndpointMissing,
  LeaseLost,
  QuestionInvalid,
  QuestionRefused,
  RateLimited,
  RedirectRefused,
  ServerUnable,
  ServerUnreachable,
  UpstreamUnavailable,
} from '../../src/base/errors.ts';
import { handleFailure } from '../../src/crawl/handle-failure.ts';

const unavailable = new UpstreamUnavailable('grocery', 'it does not answer');
const running = new AbortController().signal;

describe('a unit of work that fails', () => {
  test.each<[string, Error, number, string[]]>([
    ['is given back at the price of an attempt when the upstream is away', unavailable, 1, ['release, costs']],
    ['is given up when that was its last attempt', unavailable, 4, ['fail']],
    ['is given back when its answer is in an unknown shape', new ContractBroken('page', ['x']), 1, ['release, costs']],
    [
      'is given up when its answer is in an unknown shape again: a third request would be paid for nothing',
      new ContractBroken('page', ['x']),
      2,
      ['fail'],
    ],
    ['is given back a second time when the upstream is still away', unavailable, 2, ['release, costs']],
    ['is given back for nothing when we asked too fast', new RateLimited('grocery', 1000), 4, ['release, free']],
    [
      'is given back for nothing when the database is away',
      new ServerUnreachable('PostgreSQL', 'DATABASE_URL'),
      4,
      ['release, free'],
    ],
    [
      'is given back and the run waits when the database has no room left',
      new ServerUnable('PostgreSQL', 'could not extend file', 'Make room on its disk'),
      4,
      ['release, free', 'pause'],
    ],
    [
      'is given back and the run waits when a quota is used up',
      new BudgetExhausted('grocery', 'used up', null),
      4,
      ['release, free', 'pause'],
    ],
    [
      'is given back and the run waits when the key is refused',
      new AccessDenied('grocery', 'no', 'KEY'),
      1,
      ['release, free', 'pause'],
    ],
    [
      'is given back and the run waits when the listing moved',
      new RedirectRefused('grocery', null),
      1,
      ['release, free', 'pause'],
    ],
    [
      'is given back and the run waits when the path is unknown',
      new EndpointMissing('grocery', 'x'),
      1,
      ['release, free', 'pause'],
    ],
    [
      'is given back and the run waits when we hold back from an upstream that fails',
      new UpstreamUnavailable('grocery', 'x', { isHeldBack: true }),
      4,
      ['release, free', 'pause'],
    ],
    ['is given up when its endpoint is not part of the plan', new EndpointDisabled('grocery'), 1, ['fail']],
    ['is given up when the question is refused', new QuestionRefused('grocery', 400, 'x'), 1, ['fail']],
    ['is given up when the question cannot be asked', new QuestionInvalid('page', 'x'), 1, ['fail']],
    ['is left alone when it is somebody else’s by now', new LeaseLost('Page 1'), 1, []],
  ])('%s', async (_, error, attempts, consequences) => {
    const { seen, unit, context } = harness(attempts);
    await handleFailure(context, 1, running, () => Promise.reject(error), unit);
    expect(seen).toEqual(consequences);
  });

  test('a failure caused by a bug is logged, and the unit is released with a charged attempt', async () => {
    const { seen, unit, context } = harness(1);
    await expect(handleFailure(context, 1, running, () => Promise.reject(new TypeError('oops')), unit)).rejects.toThrow(
      'oops',
    );
    expect(seen).toEqual(['release, costs']);
  });

  test('a unit that always fails because of a bug is abandoned, so that the run can finish', async () => {
    const { seen, unit, context } = harness(4);
    await expect(handleFailure(context, 1, running, () => Promise.reject(new TypeError('oops')), unit)).rejects.toThrow(
      'oops',
    );
    expect(seen).toEqual(['fail']);
  });

  test('the run waits also if the unit cannot be released, because the database fails', async () => {
    const { seen, unit, context } = harness(1);
    const full = new ServerUnable('PostgreSQL', 'could not extend file', 'Make room on its disk');
    const stuck = { ...unit, release: () => Promise.reject(full) };
    await expect(handleFailure(context, 1, running, () => Promise.reject(full), stuck)).rejects.toThrow('Make room');
    expect(seen).toEqual(['pause']);
  });

  test.each([
    [true, ['release, costs']],
    [false, ['release, free', 'pause']],
  ])('a redirect makes the run wait unless others are answered (%s)', async (isThere, consequences) => {
    for (const error of [new RedirectRefused('grocery', null), new EndpointMissing('grocery', 'x')]) {
      const { seen, unit, context } = harness(1);
      const heard = { ...unit, isUpstreamHealthy: async () => isThere };
      await handleFailure(context, 1, running, () => Promise.reject(error), heard);
      expect(seen).toEqual(consequences);
      const trial = harness(1);
      const looking = { ...trial.unit, isTrial: true, isUpstreamHealthy: async () => isThere };
      await handleFailure(trial.context, 1, running, () => Promise.reject(error), looking);
      expect(trial.seen).toEqual(['release, free', 'pause']);
    }
  });

  test.each([
    [true, ['release, free']],
    [false, ['release, free', 'pause']],
  ])('a client-side pause makes the run wait unless the upstream responds (%s)', async (isThere, consequences) => {
    const { seen, unit, context } = harness(1);
    const heldBack = new UpstreamUnavailable('grocery', 'x', { isHeldBack: true });
    const heard = { ...unit, isUpstreamHealthy: async () => isThere };
    await handleFailure(context, 1, running, () => Promise.reject(heldBack), heard);
    expect(seen).toEqual(consequences);
  });

  test('an interrupted unit is released as if it had not been claimed', async () => {
    const { seen, unit, context } = harness(4);
    await handleFailure(
      context,
      1,
      AbortSignal.abort(new Error('the worker is stopping')),
      () => Promise.reject(new Error('aborted')),
      unit,
    );
    expect(seen).toEqual(['release, free']);
  });
});

describe('other work that fails', () => {
  test.each([
    unavailable,
    new RateLimited('grocery', 1000),
    new QuestionRefused('grocery', 400, 'x'),
    new BudgetExhausted('grocery', 'x', null),
  ])('other work makes the run wait: $name', async (error) => {
    const { seen, context } = harness(1);
    await handleFailure(context, 1, running, () => Promise.reject(error));
    expect(seen).toEqual(['pause']);
  });
});

/** The `attempts`th attempt of a unit that has at most four. */
function harness(attempts: number) {
  const seen: string[] = [];
  return {
    seen,
    unit: {
      attempts,
      mostAttempts: 4,
      release: async (costsAttempt: boolean) => void seen.push(costsAttempt ? 'release, costs' : 'release, free'),
      fail: async () => void seen.push('fail'),
    },
    context: { pause: async () => void seen.push('pause') },
  };
}
