import type { Clock } from '../clock.ts';
import type { Askable, Database } from '../db/client.ts';
import { AccessDenied, BudgetExhausted, type PricebookError, UpstreamUnavailable } from '../errors.ts';
import type { Reservation } from '../gateway/spend.ts';
import type { ListingName } from '../model/index.ts';
import { type AdmissionOptions, type Asked, admit, admitTrial, findStop, type Stop } from './admission.ts';
import { createAdmissionQueue, type Decision } from './admission-queue.ts';
import { claimQuota } from './quota-claim.ts';
import { createSharedPace, type Slot } from './shared-pace.ts';
import { countSent } from './spend-counts.ts';

/** The limits of a listing, as configured. */
export interface ListingLimits {
  readonly host: string;
  /** 0: unlimited. */
  readonly requestsPerSecond: number;
  /** 0: unlimited; null: while the upstream's headers say that something is left. */
  readonly monthlyQuota: number | null;
  readonly keyVariable: string;
}

/** The way out to one listing: lets a request through when pace, quota and health allow it. */
export interface SpendGate {
  enter(asked: Asked, signal?: AbortSignal): Promise<Reservation>;
  /** Whether this request was let through a stop, to see. */
  isTrial(reservation: Reservation): boolean;
  /** Its request goes out now. */
  sent(reservation: Reservation): void;
  settled(reservation: Reservation): void;
  /** Nobody asks this listing for so long; without a pace there is nobody to tell. */
  pause(sql: Askable, ms: number): Promise<void>;
  tellLateness(sql: Askable): Promise<void>;
  /** Resolves when no request is on its way through. */
  idle(): Promise<void>;
}

/** Waiters that share one statement where no pace holds them back. */
const mostUnpaced = 500;
/** With a pace, slots are taken no further ahead: they are lost with a killed process, and late ones cannot be allowed for. */
const longestAheadSeconds = 0.05;
/** While a stop lasts, each process lets a health probe through at once and then so seldom that an outage stays cheap. */
const probeEveryMs = 10 * 60_000;

export function createSpendGate(needs: {
  db: Database;
  clock: Clock;
  listing: ListingName;
  limits: ListingLimits;
  /** A reservation that nobody took: its caller hung up while it waited. */
  onUnused: (reservation: Reservation) => void;
}): SpendGate {
  const { db, clock, listing, limits } = needs;
  const { requestsPerSecond, monthlyQuota } = limits;
  const pace = requestsPerSecond > 0 ? createSharedPace(listing, requestsPerSecond) : null;
  let trial: { reservation: Reservation; over: Promise<void>; end: () => void } | null = null;
  /** A process that starts may know better than the ones before it: another key, another plan, an upstream that is back. */
  let hasTried = false;
  /** When a health probe was let through the present stop. */
  let probedAt: Date | null = null;

  /** The slots of those on their way. */
  const slots = new WeakMap<Reservation, Slot>();

  const admissionQueue = createAdmissionQueue<Asked, Reservation>({
    mostAtOnce: pace ? Math.max(1, Math.floor(requestsPerSecond * longestAheadSeconds)) : mostUnpaced,
    decide,
    isAlone: ({ isHealthProbe }) => isHealthProbe ?? false,
    giveBack: needs.onUnused,
  });

  return {
    enter: admissionQueue.enter,
    isTrial: (reservation) => trial?.reservation === reservation,
    sent(reservation) {
      slots.get(reservation)?.use();
    },
    settled(reservation) {
      if (trial?.reservation !== reservation) return;
      trial.end();
      trial = null;
    },
    pause: async (sql, ms) => pace?.pause(sql, ms),
    tellLateness: async (sql) => pace?.tellLateness(sql),
    idle: admissionQueue.idle,
  };

  async function decide(asked: readonly Asked[]): Promise<Decision<Reservation>> {
    await trial?.over;
    const now = clock.now();
    const hour = startOfHour(now);
    const admission = { now, hour, byHeaders: monthlyQuota === null };
    const decided =
      pace || monthlyQuota ? await db.tx((tx) => withinLimits(tx, asked, admission)) : await atOnce(asked, admission);
    if (decided instanceof BudgetExhausted) return { refusal: decided };
    if ('state' in decided) return tryOrRefuse(asked[0]!, decided, now, hour);
    hasTried = true;
    probedAt = null;
    return {
      passes: decided.map((slot, i) => {
        const pass = reservationOf(asked[i]!, hour);
        if (pace) slots.set(pass, slot);
        return { pass, at: slot.wait };
      }),
    };
  }

  async function atOnce(asked: readonly Asked[], admission: AdmissionOptions): Promise<Stop | Slot[]> {
    return (await admit(db, asked, admission)) ?? asked.map(() => immediately);
  }

  /** Locks in one order everywhere: pace, quota, counts. */
  async function withinLimits(
    tx: Askable,
    asked: readonly Asked[],
    admission: AdmissionOptions,
  ): Promise<BudgetExhausted | Stop | Slot[]> {
    const takeSlots = await pace?.open(tx);
    const stop = await findStop(tx, listing, admission);
    if (stop) return stop;
    let granted = asked.length;
    if (monthlyQuota) {
      const claim = await claimQuota(tx, listing, { wanted: granted, quota: monthlyQuota, now: admission.now });
      if (claim.granted === 0) {
        return new BudgetExhausted(listing, `the monthly quota of ${monthlyQuota} requests is used up`, claim.until);
      }
      granted = claim.granted;
    }
    await countSent(tx, asked.slice(0, granted), admission.hour);
    return takeSlots ? takeSlots(granted) : asked.slice(0, granted).map(() => immediately);
  }

  async function tryOrRefuse(asked: Asked, stop: Stop, now: Date, hour: Date): Promise<Decision<Reservation>> {
    const mayPass = stop.state === 'failing' && asked.isHealthProbe === true && mayProbe(now);
    if (mayPass) probedAt = now;
    const anyway = !hasTried || mayPass;
    hasTried = true;
    if (!(await admitTrial(db, asked, { now, hour, anyway }))) return { refusal: asError(stop) };
    const reservation = reservationOf(asked, hour);
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    trial = { reservation, over, end };
    return { passes: [{ pass: reservation, at: immediately.wait }] };
  }

  /** Failures alone do not tell an upstream that is away from a few questions it cannot answer; one it did answer does. */
  function mayProbe(now: Date): boolean {
    return probedAt === null || now.getTime() - probedAt.getTime() >= probeEveryMs;
  }

  function asError({ state, until, what, failuresInARow }: Stop): PricebookError {
    switch (state) {
      case 'quota':
        return new BudgetExhausted(listing, what ?? 'the quota is used up', until);
      case 'nothing_left':
        return new BudgetExhausted(listing, 'the upstream says that nothing is left of the quota', until);
      case 'denied':
        return new AccessDenied(listing, what ?? 'the key was refused', limits.keyVariable);
      case 'failing':
        return new UpstreamUnavailable(
          listing,
          `it failed ${failuresInARow} times in a row, last with: ${what ?? 'no reason'}`,
          { isHeldBack: true },
        );
    }
  }
}

const immediately: Slot = { wait: async () => {}, use: () => {} };

function reservationOf({ listing, endpoint, region, runId }: Asked, hour: Date): Reservation {
  return { listing, endpoint, region, runId, hour };
}

function startOfHour(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 3_600_000) * 3_600_000);
}
