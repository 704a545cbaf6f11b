/** Lets requests of one listing through, in the order they came, many at a time where nothing holds them back. */
export interface AdmissionQueue<Request, Pass> {
  /** Resolves with permission; rejects with the signal's reason once it is aborted. */
  enter(request: Request, signal?: AbortSignal): Promise<Pass>;
  /** Resolves when nobody waits and every pass was taken or given back. */
  idle(): Promise<void>;
}

/** What was decided of the first members of a group, in order; those beyond wait, and are decided with the next. */
export interface Decision<Pass> {
  readonly members: readonly (
    | { readonly pass: Pass; readonly at: () => Promise<void> }
    | { readonly refusal: unknown }
  )[];
  /** Before that it is of no use to ask again; woken when nobody waits any more. */
  readonly rest?: (signal: AbortSignal) => Promise<void>;
}

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
  let resting: AbortController | null = null;

  return {
    enter: (request, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          const at = waiting.indexOf(waiter);
          if (at >= 0) waiting.splice(at, 1);
          if (waiting.length === 0) resting?.abort();
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
      if (group.length === 0) break;
      try {
        const { members, rest } = await needs.decide(group.map(({ request }) => request));
        waiting.unshift(...group.slice(members.length).filter((waiter) => !waiter.hasLeft()));
        for (const [i, member] of members.entries()) {
          const waiter = group[i]!;
          if ('refusal' in member) {
            waiter.refuse(member.refusal);
            continue;
          }
          await member.at();
          if (waiter.hasLeft()) needs.giveBack(member.pass);
          else waiter.pass(member.pass);
        }
        if (rest && waiting.length > 0) await restFor(rest);
      } catch (error) {
        for (const waiter of group) waiter.refuse(error);
      }
    }
    running = null;
  }

  async function restFor(rest: (signal: AbortSignal) => Promise<void>): Promise<void> {
    resting = new AbortController();
    try {
      await rest(resting.signal);
    } finally {
      resting = null;
    }
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
