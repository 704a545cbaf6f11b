import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.ts';
import { RequestFailed } from '../../base/errors.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Classification } from '../classify.ts';
import type { Question } from '../gateway.ts';
import { type Outcome, policyOf, type StopPolicy } from '../policy.ts';
import type { DatabaseClock, Timing } from './clock.ts';
import { News, writeNews } from './counts.ts';
import { holdMs, isUnlimited, type ListingLimits, latenessMs, limitWords, termsOf } from './limits.ts';
import { endProbe, endProbed, keyPrint, lengthenStop } from './stops.ts';

/** Permission to send one request, from `atMs` to `latestMs` by the process's time. */
export interface Permit {
  readonly atMs: number;
  readonly latestMs: number;
  readonly isProbe: boolean;
  /** Fingerprint of the key for which it was reserved. */
  readonly key: string;
  /** When it was reserved. */
  readonly at: Date;
}

/** How a request is counted, and what would repeat it. */
type Sent = Pick<Question, 'endpoint' | 'region'> & { readonly target: string };

interface GateNeeds {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly serverClock: DatabaseClock;
  readonly listing: string;
  readonly runId: number | null;
  readonly limits: ListingLimits;
  /** Repeats an answered request as a probe, and settles it. */
  readonly probe: (target: string, permit: Permit, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** Requests reserved at a time where nothing limits them. */
const blockSize = 64;
/** What lasts longer, such as a stop or a full limit, is not waited for by a worker. */
export const maxWaitMs = 60_000;
/** A stop may be over early, because another process probes it. */
const lookEveryMs = 1_000;
/** A request that is on its way when the month turns counts in the new one. */
const wayMs = 20;

/** The way to one listing for one run in one process: within all limits, and held back by stops. */
export class Gate {
  readonly #needs: GateNeeds;
  readonly #oneByOne = pLimit(1);
  #permits: Permit[] = [];
  #news = new News();
  /** What could not be written yet, oldest first. */
  #unwritten: News[] = [];
  #month = { used: 0, reported: null as number | null };
  #failuresInARow = 0;
  /** Requests under way at most; after a stop it grows from 1 with each answer. */
  #maxAtOnce = blockSize;
  /** How long requests have been held back, and when that was last seen. */
  #held: { readonly sinceMs: number; readonly seenMs: number } | null = null;
  #underWay = 0;
  readonly #answered = new Set<string>();
  /** Answered probes, and after how many of them an endpoint was refused. */
  #probes = 0;
  readonly #refusedAfter = new Map<string, Set<number>>();
  /** Nothing is reserved until the stops that have begun are visible to all. */
  #stopping: Promise<unknown> = Promise.resolve();

  constructor(needs: GateNeeds) {
    this.#needs = needs;
  }

  /** Resolves when a request may be sent at once. Throws `waits` if that would take longer than a worker waits. */
  pass(signal?: AbortSignal): Promise<Permit> {
    const { timing } = this.#needs;
    return this.#oneByOne(async () => {
      for (;;) {
        signal?.throwIfAborted();
        this.#dropOld();
        const [permit] = this.#permits;
        if (permit === undefined) await this.#reserve(signal);
        else if (timing.nowMs() < permit.atMs) await timing.sleep(permit.atMs - timing.nowMs(), signal);
        else {
          this.#permits.shift();
          this.#underWay += 1;
          return permit;
        }
      }
    });
  }

  /** Whether a request may still be sent with its permission. */
  isInTime({ latestMs }: Permit): boolean {
    return this.#needs.timing.nowMs() <= latestMs;
  }

  /**
   * What a response is about. Answered probes prove the key: an endpoint that has never answered, and is refused after
   * two of them, is not in the plan.
   */
  judge(endpoint: string, { isProbe }: Permit, response: Classification): Classification {
    if (response.kind === 'ok') {
      this.#answered.add(endpoint);
      if (isProbe) this.#probes += 1;
    }
    if (response.kind !== 'denied' || isProbe || this.#answered.has(endpoint)) return response;
    const refusedAfter = (this.#refusedAfter.get(endpoint) ?? new Set()).add(this.#probes);
    this.#refusedAfter.set(endpoint, refusedAfter);
    return refusedAfter.size > 2 ? { ...response, kind: 'endpoint_disabled' } : response;
  }

  /** Counts what became of a request, and begins, lengthens or ends the stop that follows from it. */
  async settle(permit: Permit, request: Sent, outcome: Outcome): Promise<void> {
    const { db, clock, listing } = this.#needs;
    const { key, isProbe } = permit;
    const { countedAs, stop } = policyOf(outcome.kind);
    this.#underWay -= 1;
    if (countedAs === null) {
      this.#giveBack([permit]);
      if (isProbe) await endProbe(db, { listing, key });
      return;
    }
    const at = clock.now();
    this.#news.count(request, countedAs, at);
    if (outcome.quota) {
      const { resetsAt } = outcome.quota;
      const resetsInMs = resetsAt && resetsAt.getTime() - at.getTime();
      this.#news.quota = { ...outcome.quota, resetsInMs, isProbed: isProbe };
      // What was reserved before anything was known of a quota may be more than it has.
      if (this.#month.reported === null) this.#giveBack(this.#permits.splice(0));
    }
    if (countedAs === 'aborted') return isProbe ? endProbe(db, { listing, key }) : undefined;
    if (outcome.kind === 'ok') this.#news.lastAnswered = request.target;
    if (!stop || stop.scope === 'run') {
      this.#news.okAt = at;
      this.#failuresInARow = 0;
      this.#maxAtOnce = Math.min(this.#maxAtOnce * 2, blockSize);
      if (!isProbe) return;
      // First, what the answer said of the quota: others reserve as soon as the stop has ended.
      await this.write();
      await endProbed(db, { listing, key });
      return;
    }
    Object.assign(this.#news, { errorAt: at, error: outcome.what ?? outcome.kind });
    this.#failuresInARow += 1;
    if (!isProbe && this.#failuresInARow < stop.after) return;
    const stopping = this.#stop(stop, outcome, permit);
    this.#stopping = Promise.allSettled([this.#stopping, stopping]).then(() => undefined);
    await stopping;
  }

  /** Writes the counts, and gives back what was not sent. */
  async write(): Promise<void> {
    const { db, listing, runId, limits } = this.#needs;
    if (!this.#news.isEmpty) this.#unwritten.push(this.#news);
    this.#news = new News();
    for (let news = this.#unwritten.shift(); news !== undefined; news = this.#unwritten.shift()) {
      const { used, reported } = this.#month;
      const included = (limits.monthlyQuota || null) ?? news.quota?.limit ?? reported;
      const account = { listing, key: this.#key(), runId, playedAt: this.#playedAt(), used, included };
      try {
        await writeNews(db, { ...account, subscription: limits.subscription }, news);
      } catch (error) {
        // It may have been written all the same: permissions that are given back twice would exceed a limit.
        news.unsent = 0;
        this.#unwritten.unshift(news);
        throw error;
      }
    }
  }

  /** Whether nothing is under way or waits. */
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#oneByOne.activeCount === 0;
  }

  /** Gives back all permissions, and writes the counts. */
  async close(): Promise<void> {
    this.#giveBack(this.#permits.splice(0));
    await this.write();
  }

  async #reserve(signal: AbortSignal | undefined): Promise<void> {
    const { db, timing, serverClock, listing, runId, limits, probe } = this.#needs;
    await this.#stopping;
    await this.write();
    const room = this.#maxAtOnce === blockSize ? blockSize : this.#maxAtOnce - this.#underWay;
    if (room <= 0) return timing.sleep(wayMs, signal);
    if (limits.requestsPerSecond > 0) await serverClock.sync(db);
    const key = this.#key();
    const waiting = this.#oneByOne.pendingCount + 1;
    const wanted = Math.min(isUnlimited(limits) ? blockSize : waiting, room);
    const values = [listing, key, runId, termsOf(limits), wanted, this.#playedAt()];
    const askedMs = timing.nowMs();
    const [reserved] = await rowsOf<Reserved>(db, 'select * from ops.reserve($1, $2, $3, $4, $5, $6)', values);
    const { granted, at, at_ms, first_slot_ms, gap_ms, month_ends_ms, month_used, month_reported } = reserved!;
    serverClock.observe(at_ms, askedMs);
    if (granted === 0) return this.#wait(reserved!, signal);
    // A probe lets nothing through yet.
    if (!reserved!.is_probe) this.#held = null;
    this.#month = { used: month_used, reported: month_reported };
    const endMs = month_ends_ms === null ? Number.POSITIVE_INFINITY : serverClock.toLocal(month_ends_ms) - wayMs;
    const now = timing.nowMs();
    const permits = Array.from({ length: granted }, (_, i): Permit => {
      const atMs = first_slot_ms === null ? now : serverClock.toLocal(first_slot_ms + i * gap_ms!);
      const latestMs = Math.min(atMs + (first_slot_ms === null ? holdMs(limits) : latenessMs), endMs);
      return { atMs, latestMs, isProbe: reserved!.is_probe, key, at };
    });
    if (!reserved!.is_probe || reserved!.probe === null) return void this.#permits.push(...permits);
    this.#underWay += 1;
    await timing.sleep(permits[0]!.atMs - now, signal);
    await probe(reserved!.probe, permits[0]!, signal);
    if (this.#held) this.#held = { ...this.#held, seenMs: timing.nowMs() };
  }

  /** Waits for a while for a stop to end or a limit to allow something. */
  async #wait({ held_by, detail, at, again }: Reserved, signal: AbortSignal | undefined): Promise<void> {
    const { timing, listing, limits } = this.#needs;
    const waitMs = again === null ? Number.POSITIVE_INFINITY : Math.max(1, again.getTime() - at.getTime());
    if (held_by === 'second') return timing.sleep(waitMs, signal);
    const now = timing.nowMs();
    const isSeenLately = this.#held !== null && now - this.#held.seenMs < 2 * lookEveryMs;
    this.#held = { sinceMs: isSeenLately ? this.#held!.sinceMs : now, seenMs: now };
    if (held_by === 'too_fast' || held_by === 'failing') this.#maxAtOnce = 1;
    if (now + waitMs - this.#held.sinceMs > maxWaitMs) {
      const what = detail ?? `${limitWords(held_by!, limits)} used up`;
      const { keyVariable } = limits;
      throw new RequestFailed('waits', { where: listing, what, reason: held_by!, until: again, keyVariable });
    }
    await timing.sleep(Math.min(waitMs, lookEveryMs), signal);
  }

  async #stop(stop: StopPolicy, outcome: Outcome, { key, isProbe }: Permit): Promise<void> {
    const { db, listing } = this.#needs;
    this.#failuresInARow = 0;
    this.#giveBack(this.#permits.splice(0));
    await this.write();
    const { what: detail = null, waitMs = null } = outcome;
    await lengthenStop(db, stop, { listing, key, isProbe, detail, waitMs });
  }

  /** Drops permissions whose time is over, or that were reserved for another key. */
  #dropOld(): void {
    const key = this.#key();
    const isUsable = (permit: Permit) => this.isInTime(permit) && permit.key === key;
    this.#giveBack(this.#permits.filter((permit) => !isUsable(permit)));
    this.#permits = this.#permits.filter(isUsable);
  }

  #giveBack(permits: readonly Permit[]): void {
    for (const { at } of permits) {
      this.#news.unsent += 1;
      if (this.#news.unsentSince === null || at < this.#news.unsentSince) this.#news.unsentSince = at;
    }
  }

  /** The instant played by `--now`, by which months are counted; null: the database's clock. */
  #playedAt(): Date | null {
    const { clock } = this.#needs;
    return clock.playedFrom ? clock.now() : null;
  }

  #key(): string {
    const { listing, limits } = this.#needs;
    return keyPrint(listing, limits.key.reveal());
  }
}

/** A row of `ops.reserve`. */
interface Reserved {
  readonly granted: number;
  readonly at: Date;
  readonly at_ms: number;
  readonly first_slot_ms: number | null;
  readonly gap_ms: number | null;
  readonly month_ends_ms: number | null;
  readonly month_used: number;
  readonly month_reported: number | null;
  readonly held_by: string | null;
  readonly detail: string | null;
  readonly again: Date | null;
  readonly is_probe: boolean;
  readonly probe: string | null;
}
