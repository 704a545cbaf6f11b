import { once } from 'node:events';
import { constants } from 'node:os';
import type { PricebookError } from '../base/errors.ts';

/** Request to stop the command, by a signal or by the command itself. */
export type Interruption = ReturnType<typeof listenForSignals>;

/** npm forwards a signal that the process group has already received; repeats within this time are ignored. */
const echoMs = 100;
/** Polling interval of the parent process. */
const parentEveryMs = 500;

/**
 * The first signal stops the command in an orderly way, the second at once. With `endsWithParent`, the end of the
 * parent process counts as SIGTERM.
 */
export function listenForSignals({ endsWithParent = false } = {}) {
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
  const parent = process.ppid;
  // The parent process id changes when the parent ends.
  const look = () => process.ppid !== parent && code === null && process.emit('SIGTERM');
  if (endsWithParent) setInterval(look, parentEveryMs).unref();
  return {
    /** Aborted by the first signal, or by `end`. */
    signal: controller.signal,
    /** Exit code after a request to stop, such as 130 or 143; null: no request yet. */
    exitCode: (): number | null => code,
    /** Stops the command as the first signal would, with the exit code of the error. */
    end(reason: PricebookError): void {
      if (code !== null) return;
      askedAt = performance.now();
      code = reason.exitCode;
      controller.abort(reason);
    },
  };
}

/** Resolves when the command is asked to stop. */
export async function untilInterrupted(signal: AbortSignal): Promise<void> {
  // A signal handler alone does not keep the process alive.
  const awake = setInterval(() => undefined, 1 << 30);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(awake);
}
