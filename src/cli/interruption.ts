import { constants } from 'node:os';
import type { PricebookError } from '../base/errors.ts';

/** A person, the system or the command itself asked it to end. */
export interface Interruption {
  /** Aborted by the first signal, or by `end`. */
  readonly signal: AbortSignal;
  /** What the command exits with when it was asked to end: 130, 143; null while nobody asked. */
  exitCode(): number | null;
  /** Ends the command in order, as the first signal would, with the exit code of the reason. */
  end(reason: PricebookError): void;
}

/** A signal to the whole process group arrives again through npm a moment later: that is one wish, not two. */
const echoMs = 100;
/** How often it is looked whether the parent is there still. */
const parentEveryMs = 500;

/**
 * The first signal lets the command end in order; the second ends it at once. With `endsWithParent` the end of the
 * process that started it counts as SIGTERM.
 */
export function listenForSignals({ endsWithParent = false } = {}): Interruption {
  const controller = new AbortController();
  let code: number | null = null;
  let askedAt = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      const now = performance.now();
      if (code !== null) {
        if (now - askedAt > echoMs) process.exit(code);
        return;
      }
      askedAt = now;
      code = 128 + constants.signals[name];
      controller.abort(new Error(`${name} received`));
    });
  }
  if (endsWithParent) onParentGone(() => code === null && process.emit('SIGTERM'));
  return {
    signal: controller.signal,
    exitCode: () => code,
    end(reason) {
      if (code !== null) return;
      askedAt = performance.now();
      code = reason.exitCode;
      controller.abort(reason);
    },
  };
}

/** A process whose parent ended is given another one. */
function onParentGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, parentEveryMs).unref();
}

/** Resolves when the command is asked to end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  // A signal handler alone keeps no process alive.
  const awake = setInterval(() => undefined, 1 << 30);
  return new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  }).finally(() => clearInterval(awake));
}
