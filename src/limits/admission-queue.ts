/** Lets requests of one listing through, in the order they came, many at a time where nothing holds them back. */
export interface AdmissionQueue<Request, Pass> {
  /** Resolves with permission; rejects with the signal's reason once it is aborted. */
  enter(request: Request, signal?: AbortSignal): Promise<Pass>;
  /** Resolves when nobody waits and every pass was taken or given back. */
  idle(): Promise<void>;
}

/** One group's decision: for its first members a pass each, at their time; or nobody may pass. */
export type Decision<Pass> =
  | { readonly passes: readonly { readonly pass: Pass; readonly at: () => Promise<void> }[] }
  | { readonly refusal: unknown };

/**
 * While one group is being decided the next gathers, so that a statement and its commit are shared by all who wait. The next
 * decision is made only when the last of the group has passed: a slot taken early and used late would push the next one close.
 */
export function createAdmissionQueue<Request, Pass>(needs: {
  mostAtOnce: number;
  decide(requests: readonly Request[]): Promise<Decision<Pass>>;
  /** Decided by itself: what holds for those that came with it need not hold for it. */
  isAlone(request: Request): boolean;
  /** A pass that nobody took: its request was aborted meanwhile. */
  giveBack(pass: Pass): void;
}): AdmissionQueue<Request, Pass> {
  const waiting: Waiter<Request, Pass>[] = [];
  let running: Promise<void> | null = null;

  return {
    enter: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          const at = waiting.indexOf(waiter);
          if (at >= 0) waiting.splice(at, 1);
          reject(signal?.reason);
        };
        const leave = () => signal?.removeEventListener('abort', onAbort);
        const waiter: Waiter<Request, Pass> = {
          request,
          hasLeft: () => signal?.aborted ?? false,
          pass(pass) {
            leave();
            resolve(pass);
          },
          refuse(reason) {
            leave();
            reject(reason);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(waiter);
        running ??= run();
      }),
    idle: async () => {
      await running;
    },
  };

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // Whatever else arrived in this turn of the event loop shares the decision.
      await immediately();
      const group = nextGroup();
      try {
        const decision = await needs.decide(group.map(({ request }) => request));
        if ('refusal' in decision) {
          for (const waiter of group) waiter.refuse(decision.refusal);
          continue;
        }
        waiting.unshift(...group.slice(decision.passes.length).filter((waiter) => !waiter.hasLeft()));
        for (const [i, { pass, at }] of decision.passes.entries()) {
          await at();
          const waiter = group[i]!;
          if (waiter.hasLeft()) needs.giveBack(pass);
          else waiter.pass(pass);
        }
      } catch (error) {
        for (const waiter of group) waiter.refuse(error);
      }
    }
    running = null;
  }

  function nextGroup(): Waiter<Request, Pass>[] {
    const alone = waiting.findIndex(({ request }) => needs.isAlone(request));
    return waiting.splice(0, alone < 0 ? needs.mostAtOnce : Math.min(needs.mostAtOnce, Math.max(alone, 1)));
  }
}

const immediately = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Waiter<Request, Pass> {
  readonly request: Request;
  hasLeft(): boolean;
  pass(pass: Pass): void;
  refuse(reason: unknown): void;
}
