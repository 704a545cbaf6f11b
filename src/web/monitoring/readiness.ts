/** Something a process needs for its work. */
export interface Check {
  readonly name: string;
  /** False: without it the process still does most of its work, so it stays ready. */
  readonly isNeeded: boolean;
  /**
   * What is wrong, as one line without an address or a key; null: nothing. A rejection means that it cannot be reached.
   */
  look(): Promise<string | null>;
  /** The line for a rejection, or for no answer in time. */
  readonly unreachable: string;
}

export interface CheckResult {
  readonly name: string;
  readonly isNeeded: boolean;
  /** null: it is well. */
  readonly reason: string | null;
}

/** Who asks whether a process is ready wants to know soon: Kubernetes waits a second unless told otherwise. */
const limitMs = 2_000;

/** Looks at each thing side by side. One that hangs is asked once until it answers, however often somebody looks. */
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
    return withinLimit(looking, check.unreachable);
  };

  return () =>
    Promise.all(
      checks().map(async (check) => {
        const { name, isNeeded } = check;
        return { name, isNeeded, reason: await lookAt(check) };
      }),
    );
}

export function isReady(results: readonly CheckResult[]): boolean {
  return results.every(({ isNeeded, reason }) => !isNeeded || reason === null);
}

/** A line a check. */
export function describeReadiness(results: readonly CheckResult[]): string {
  const lines = results.map(({ name, isNeeded, reason }) => {
    if (reason === null) return `${name}: ok`;
    return `${name}: ${reason}${isNeeded ? '' : ' (the process goes on without)'}`;
  });
  return `${lines.join('\n')}\n`;
}

async function withinLimit<Result>(looking: Promise<Result>, otherwise: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, limitMs, otherwise);
  });
  return Promise.race([looking, late]).finally(() => clearTimeout(timer));
}
