import { constants } from 'node:os';
import type { PricebookError } from '../base/errors.ts';

/** Request to stop the command, by a signal or by the command itself. */
export interface Interruption {
  /** Aborted by the first signal, or by `end`. */
  readonly signal: AbortSignal;
  /** Exit code after a request to stop, such as 130 or 143; null: no request yet. */
  exitCode(): number | null;
  /** Stops the command as the first signal would, with the exit code of the error. */
  end(reason: PricebookError): void;
}

/** npm forwards a signal that the process group has already received; repeats within this time are ignored. */
const echoMs = 100;
/** Polling interval of the parent process. */
const parentEveryMs = 500;

/**
 * The first signal stops the command in an orderly way, the second at once. With `endsWithParent`, the end of the
 * parent process counts as SIGTERM.
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

/** The parent process id changes when the parent ends. */
function onParentGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, parentEveryMs).unref();
}

/** Resolves when the command is asked to stop. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  // A signal handler alone does not keep the process alive.
  const awake = setInterval(() => undefined, 1 << 30);
  return new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  }).finally(() => clearInterval(awake));
}
