import type { Clock } from '../../../src/base/clock.ts';
import { RequestFailed } from '../../../src/base/errors.ts';
import type { ListingName } from '../../../src/base/model/index.ts';
import type { Database, Queryable } from '../../../src/db/client.ts';
import { camelRows } from '../../../src/db/rows.ts';
import { DatabaseClock } from '../../../src/gateway/limits/clock.ts';
import { Gate, type Permit } from '../../../src/gateway/limits/gate.ts';
import type { ListingLimits } from '../../../src/gateway/limits/limits.ts';
import type { Outcome } from '../../../src/gateway/policy.ts';
import { readQuota } from '../../../src/gateway/quota.ts';
import { createMeter } from '../../../src/simulator/meter.ts';
import { defaultBehaviour } from '../../../src/simulator/settings.ts';
import { unknownSubscription } from '../../../src/source/listings/index.ts';
import { type Chance, createChance } from '../../support/chance.ts';
import { listingLimits } from '../../support/listing-limits.ts';
import { createVirtualTime, type VirtualTime } from '../../support/virtual-time.ts';
import type { Trial } from '../profile.ts';

/** Puts a clock of the test's in the place of the database's. */
export async function playDatabaseClock(db: Database): Promise<void> {
  await db.query('create table public.played_clock (ms float8 not null)');
  await db.query('insert into public.played_clock values (0)');
  await db.query(
    `create or replace function ops.clock() returns timestamptz language sql volatile as $$
     select to_timestamp(ms / 1000) from public.played_clock $$`,
  );
}

/**
 * One random schedule: several processes with different clocks request a listing limited in every window, and are
 * killed at any moment; the simulator counts requests.
 */
export async function playSpendSchedule(db: Database, seed: number, { requests = 30 } = {}): Promise<Trial> {
  const chance = createChance(seed);
  const { limits, monthlyQuota } = drawLimits(chance);
  const behaviour = {
    ...defaultBehaviour,
    requestsPerSecond: limits.requestsPerSecond,
    burst: 0,
    requestsPerMinute: unitsIn(limits, 60_000),
    requestsPerHour: unitsIn(limits, 3_600_000),
    requestsPerDay: unitsIn(limits, 86_400_000),
    monthlyQuota,
    subscribedOn: limits.subscription.startedOn ?? '2026-01-01',
  };
  const startMs = drawStart(chance, limits);
  const time = createVirtualTime(startMs);
  const meter = createMeter(behaviour, startMs);
  const listing = `schedule_${seed}` as ListingName;
  const broken: string[] = [];
  let arrived = 0;
  let lastArrivalMs = 0;
  let kills = 0;
  let isOver = false;
  const endMs = startMs + 4 * 86_400_000;
  let setAtMs = 0;
  let isSet: Promise<unknown> = Promise.resolve();

  const processes = Array.from({ length: chance.whole(2, 4) }, (_, i) => process(i));
  await time.passUntil(Promise.all(processes));
  const [month] = await camelRows<{ units: number; startsAt: Date }>(
    db,
    'select used::int as units, month_starts_at as starts_at from ops.listing where listing = $1',
    [listing],
  );
  if (lastArrivalMs > month!.startsAt.getTime() && month!.units < meter.used())
    broken.push(`${meter.used()} requests arrived this month, ${month!.units} were reserved`);
  return {
    seed,
    kind: `${limits.windows.length} windows`,
    broken,
    counts: { arrived, kills },
    details: JSON.stringify(limits),
  };

  /** Runs one process after the other in the same place, each until it is killed. */
  async function process(place: number): Promise<void> {
    await time.sleep(chance.whole(0, 2_000));
    while (!isOver) {
      const life = createLife(time, chance);
      await Promise.race([life.killed, live(life)]);
      if (!life.isAlive()) kills += 1;
      life.kill();
      await time.sleep(chance.pick([0, 50, 800, 5_000]) + place);
    }
  }

  async function live(life: Life): Promise<void> {
    const clock: Clock = { now: () => new Date(time.nowMs() + life.offsetMs) };
    const timing = time.seenBy(life);
    const gate: Gate = new Gate({
      ...{ db: connection(life), clock, timing, serverClock: new DatabaseClock(timing), listing, runId: null, limits },
      // A probe may find out that the quota is still used up.
      probe: (_target, permit) => send(gate, permit, life, { mayBeOneTooMany: true }),
    });
    await Promise.all(Array.from({ length: chance.whole(1, 4) }, () => askOn(gate, life)));
  }

  async function askOn(gate: Gate, life: Life): Promise<void> {
    while (!isOver && life.isAlive()) {
      try {
        await send(gate, await gate.pass(), life);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        if (isOver || time.nowMs() > endMs) return end();
        const waitMs = error.until === null ? 60_000 : error.until.getTime() - time.nowMs() - life.offsetMs;
        await time.sleep(Math.max(waitMs, 0) + chance.whole(0, 3_000));
      }
    }
  }

  async function send(gate: Gate, permit: Permit, life: Life, { mayBeOneTooMany = false } = {}): Promise<void> {
    // The connection is open, must be opened, or takes longer than the permission is valid.
    await time.sleep(chance.pick([0, 0, 0, 1, 5, 30, 150, 390, 700]));
    if (!life.isAlive()) return;
    const isSent = gate.isInTime(permit);
    const answer = isSent ? arrive(life, mayBeOneTooMany) : null;
    await life.maybeDie(0.01);
    const answerMs = chance.pick([5, 20, 100, 400, 2_000]);
    await time.sleep(Math.min(answerMs, 100));
    if (life.isAlive() && chance.happens(0.2)) await gate.write();
    await time.sleep(Math.max(answerMs - 100, 0));
    if (!life.isAlive()) return;
    const outcome = (await answer) ?? { kind: 'unsent' };
    await gate.settle(permit, { endpoint: 'uk-category-page', region: 'uk', target: '/page' }, outcome);
  }

  async function arrive({ offsetMs }: Life, mayBeOneTooMany: boolean): Promise<Outcome> {
    await time.sleep(chance.number() * 8);
    arrived += 1;
    lastArrivalMs = time.nowMs();
    const full = meter.admits(time.nowMs());
    if (full !== null) broken.push(`request ${arrived} was one too many in a ${full} at ${time.nowMs() - startMs} ms`);
    const hasQuota = meter.hasQuota(time.nowMs());
    if (!hasQuota && !mayBeOneTooMany) broken.push(`request ${arrived} was one too many in its month`);
    if (hasQuota) meter.use();
    if (arrived >= requests || time.nowMs() > endMs) end();
    // The headers say how long, which the process counts from its own clock.
    const quota = readQuota(meter.headers(time.nowMs()), new Date(time.nowMs() + offsetMs));
    return { kind: hasQuota ? 'ok' : 'quota', quota };
  }

  function end(): void {
    isOver = true;
  }

  /**
   * Statements of a process: on their way for a while, and cut off with it before they begin or after they were done.
   */
  function connection(life: Life): Queryable {
    return {
      async query(text, values) {
        await time.sleep(untilWhole(time.nowMs()) + chance.whole(0, 3));
        await life.maybeDie(0.01);
        const result = await time.busy(async () => {
          if (setAtMs !== time.nowMs()) {
            setAtMs = time.nowMs();
            isSet = db.query('update public.played_clock set ms = $1', [setAtMs]);
          }
          await isSet;
          return db.query(text, values) as Promise<never>;
        });
        await time.sleep(chance.number() * 3);
        await life.maybeDie(0.01);
        return result;
      },
    };
  }
}

/** Often shortly before the month turns. */
function drawStart(chance: Chance, { subscription }: ListingLimits): number {
  const day = chance.happens(0.6) ? (subscription.startedOn?.slice(8) ?? '01') : '15';
  return Date.parse(`2026-05-${day}T00:00:00Z`) - chance.pick([5_000, 30_000, 120_000, 300_000]);
}

/** Statements of several processes begin at whole milliseconds, so that some begin together. */
function untilWhole(ms: number): number {
  return Math.ceil(ms) - ms;
}

interface Life {
  readonly offsetMs: number;
  readonly drift: number;
  readonly killed: Promise<void>;
  isAlive(): boolean;
  kill(): void;
  /** Never continues when the process dies. */
  maybeDie(probability: number): Promise<void>;
}

function createLife(time: VirtualTime, chance: Chance): Life {
  let isAlive = true;
  let die = () => {};
  const killed = new Promise<void>((resolve) => {
    die = resolve;
  });
  const kill = () => {
    isAlive = false;
    die();
  };
  if (chance.happens(0.5)) void time.sleep(chance.whole(100, 20_000)).then(kill);
  return {
    offsetMs: chance.pick([0, chance.whole(-5_000, 5_000), chance.whole(-86_400_000, 86_400_000)]),
    drift: (chance.number() - 0.5) * 1e-4,
    killed,
    isAlive: () => isAlive,
    kill,
    async maybeDie(probability) {
      if (isAlive && chance.happens(probability)) kill();
      if (!isAlive) await new Promise<never>(() => {});
    },
  };
}

function drawLimits(chance: Chance): { readonly limits: ListingLimits; readonly monthlyQuota: number } {
  const day = String(chance.whole(1, 31)).padStart(2, '0');
  const windows = [
    { windowMs: 60_000, units: chance.whole(4, 25) },
    { windowMs: 3_600_000, units: chance.whole(10, 40) },
    { windowMs: 86_400_000, units: chance.whole(15, 60) },
  ].filter(() => chance.happens(0.6));
  const monthlyQuota = chance.pick([0, chance.whole(20, 60), chance.whole(20, 60)]);
  const limits = listingLimits({
    requestsPerSecond: chance.pick([0, 1, 2, 3, 5, 10, 20, 50]),
    // Not configured, the headers tell it.
    monthlyQuota: chance.happens(0.3) ? null : monthlyQuota,
    windows,
    subscription: { ...unknownSubscription, startedOn: `2026-01-${day}` },
  });
  return { limits, monthlyQuota };
}

function unitsIn({ windows }: ListingLimits, windowMs: number): number {
  return windows.find((window) => window.windowMs === windowMs)?.units ?? 0;
}
