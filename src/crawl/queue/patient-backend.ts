import { setTimeout as sleep } from 'node:timers/promises';

/** Time between two tries of what a server refuses, milliseconds. */
const tryEveryMs = 1_000;

interface Patience {
  /** Whether the server refuses at the moment, whatever is asked of it. */
  isRefusal(error: unknown): error is Error;
  onRefusal(error: Error): void;
  /** Nothing is refused any more. */
  onServing(): void;
}

export interface Patient {
  /** The same backend; what its server refuses is tried again until it is served. */
  wrap<Backend extends object>(backend: Backend): Backend;
  isRefused(): boolean;
  /** Nothing is tried again from now on. */
  stop(): void;
}

/**
 * Waits for a server that refuses commands, as the client waits for an unreachable one. Without this, BullMQ repeats a
 * command at once if it fails on an intact connection, and drops its work.
 */
export function createPatience({ isRefusal, onRefusal, onServing }: Patience): Patient {
  let refused = 0;
  let isStopped = false;

  async function untilServed<Result>(first: Promise<Result>, again: () => Promise<Result>): Promise<Result> {
    let wasRefused = false;
    let answer = first;
    try {
      for (;;) {
        try {
          return await answer;
        } catch (error) {
          if (!isRefusal(error) || isStopped) throw error;
          if (!wasRefused) refused += 1;
          wasRefused = true;
          onRefusal(error);
        }
        await sleep(tryEveryMs);
        answer = again();
      }
    } finally {
      if (wasRefused) refused -= 1;
      if (wasRefused && refused === 0) onServing();
    }
  }

  return {
    wrap: (backend) =>
      new Proxy(backend, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            const ask = () => value.apply(target, given);
            const answer: unknown = ask();
            return answer instanceof Promise ? untilServed(answer, ask) : answer;
          };
        },
        set: (target, name, value) => Reflect.set(target, name, value, target),
      }),
    isRefused: () => refused > 0,
    stop() {
      isStopped = true;
    },
  };
}
