import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServerUnreachable } from '../src/errors.ts';
import { createGroupCommit } from '../src/group-commit.ts';

interface Item {
  readonly group: number;
  readonly outcome: 'fine' | 'refused' | 'poison';
  readonly delayMs: number;
}

describe('a group commit', () => {
  test('gives every item its own outcome, in batches of one group, never two of a group at a time', async () => {
    const item = fc.record({
      group: fc.integer({ min: 0, max: 2 }),
      outcome: fc.oneof(
        { weight: 6, arbitrary: fc.constant('fine' as const) },
        fc.constantFrom('refused' as const, 'poison' as const),
      ),
      delayMs: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        async (items: Item[], limit) => {
          const busy = new Set<number>();
          const committed: Item[] = [];
          const commit = createGroupCommit<Item>({
            limit,
            groupOf: ({ group }) => group,
            async flush(batch) {
              const group = batch[0]!.group;
              expect(batch.length).toBeLessThanOrEqual(limit);
              expect(batch.every((other) => other.group === group)).toBe(true);
              expect(busy.has(group)).toBe(false);
              busy.add(group);
              await sleep(1);
              busy.delete(group);
              if (batch.some(({ outcome }) => outcome === 'poison')) throw new Error('poison');
              committed.push(...batch.filter(({ outcome }) => outcome === 'fine'));
              return batch.map(({ outcome }) => (outcome === 'refused' ? new Error('refused') : null));
            },
          });
          const outcomes = await Promise.all(
            items.map(async (one) => {
              await sleep(one.delayMs);
              return commit(one).then(
                () => 'fine',
                (error: Error) => error.message,
              );
            }),
          );
          expect(outcomes).toEqual(items.map(({ outcome }) => outcome));
          expect(committed.length).toBe(items.filter(({ outcome }) => outcome === 'fine').length);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('commits a lone item at once and a crowd together', async () => {
    const batches: number[] = [];
    const commit = createGroupCommit<number>({
      limit: 40,
      groupOf: () => 'all',
      async flush(items) {
        batches.push(items.length);
        await sleep(5);
        return items.map(() => null);
      },
    });
    await Promise.all(Array.from({ length: 60 }, (_, index) => commit(index)));
    expect(batches).toEqual([1, 40, 19]);
  });

  test('does not try each item alone when the server is away', async () => {
    let flushes = 0;
    const commit = createGroupCommit<number>({
      limit: 40,
      groupOf: () => 'all',
      async flush() {
        flushes += 1;
        throw new ServerUnreachable('PostgreSQL', 'DATABASE_URL');
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(commit));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(flushes).toBe(2);
  });

  test('does not try each item alone when its owner says that one fails like the other', async () => {
    let flushes = 0;
    const commit = createGroupCommit<number>({
      limit: 40,
      groupOf: () => 'all',
      failsAlike: (error) => (error as Error).message === 'disk full',
      async flush() {
        flushes += 1;
        throw new Error('disk full');
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(commit));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(flushes).toBe(2);
  });
});
