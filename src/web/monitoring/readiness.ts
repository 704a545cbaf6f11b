import { setTimeout as sleep } from 'node:timers/promises';

/** A dependency of the process. */
export interface Check {
  readonly name: string;
  /** False: the process stays ready without it. */
  readonly isNeeded: boolean;
  /** The problem as one line without addresses or keys; null: none. Rejects if the dependency is not reachable. */
  look(): Promise<string | null>;
  /** Reason reported if the check rejects or times out. */
  readonly unreachable: string;
}

export interface CheckResult {
  readonly name: string;
  readonly isNeeded: boolean;
  /** Null: the check passed. */
  readonly reason: string | null;
}

/** Below the timeouts of common probes, so that they receive the reason. */
const limitMs = 2_000;

/** Runs all checks in parallel. A check that hangs is not started again until it settles. */
export function createReadiness(checks: () => readonly Check[]): () => Promise<CheckResult[]> {
  const underWay = new Map<string, Promise<string | null>>();

  const lookAt = (check: Check): Promise<string | null> => {
    const looking =
      underWay.get(check.name) ??
      check
        .look()
        .catch(() => check.unreachable)
        .finally(() => underWay.delete(check.name));
    underWay.set(check.name, looking);
    return Promise.race([looking, sleep(limitMs, check.unreachable, { ref: false })]);
  };

  return () =>
    Promise.all(
      checks().map(async (check) => ({ name: check.name, isNeeded: check.isNeeded, reason: await lookAt(check) })),
    );
}

export function isReady(results: readonly CheckResult[]): boolean {
  return results.every(({ isNeeded, reason }) => !isNeeded || reason === null);
}

export function describeReadiness(results: readonly CheckResult[]): string {
  const lines = results.map(({ name, isNeeded, reason }) => {
    if (reason === null) return `${name}: ok`;
    return `${name}: ${reason}${isNeeded ? '' : ' (optional: the process stays ready)'}`;
  });
  return `${lines.join('\n')}\n`;
}
