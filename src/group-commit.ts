import { ServerUnreachable } from './errors.ts';

export interface GroupCommit<Item> {
  /** Items one flush may hold. */
  readonly limit: number;
  /** Items are flushed together only with items of the same group. */
  groupOf(item: Item): unknown;
  /** Commits the items, all or none; one outcome per item, null for success. When it throws, nothing was committed. */
  flush(items: readonly Item[]): Promise<readonly (Error | null)[]>;
  /** True when an error of `flush` would meet each item alone, too; by default only a server that is away. */
  readonly failsAlike?: (error: unknown) => boolean;
}

/**
 * One commit for everything that waits: while a flush is under way, what arrives collects and goes into the next.
 * A lone item is committed at once, a crowd in batches; a batch that cannot be committed is tried item by item, so that
 * the one at fault fails alone.
 */
export function createGroupCommit<Item>({
  limit,
  groupOf,
  flush,
  failsAlike = (error) => error instanceof ServerUnreachable,
}: GroupCommit<Item>): (item: Item) => Promise<void> {
  interface Waiting {
    readonly item: Item;
    resolve(): void;
    reject(error: unknown): void;
  }
  const groups = new Map<unknown, { waiting: Waiting[]; isFlushing: boolean }>();

  async function drain(key: unknown, group: { waiting: Waiting[]; isFlushing: boolean }): Promise<void> {
    group.isFlushing = true;
    while (group.waiting.length > 0) await settle(group.waiting.splice(0, limit));
    group.isFlushing = false;
    groups.delete(key);
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await flush(batch.map((waiting) => waiting.item));
      for (const [i, waiting] of batch.entries()) {
        const error = outcomes[i];
        if (error) waiting.reject(error);
        else waiting.resolve();
      }
    } catch (error) {
      if (batch.length > 1 && !failsAlike(error)) {
        for (const waiting of batch) await settle([waiting]);
      } else {
        for (const waiting of batch) waiting.reject(error);
      }
    }
  }

  return (item) =>
    new Promise<void>((resolve, reject) => {
      const key = groupOf(item);
      let group = groups.get(key);
      if (!group) {
        group = { waiting: [], isFlushing: false };
        groups.set(key, group);
      }
      group.waiting.push({ item, resolve, reject });
      if (!group.isFlushing) void drain(key, group);
    });
}
