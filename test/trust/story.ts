import fc from 'fast-check';
import { expect } from 'vitest';
import { composeReplay } from '../../src/app/compose.ts';
import { RunRefused } from '../../src/base/errors.ts';
import { abandonRun } from '../../src/crawl/run/end.ts';
import { openNight } from '../../src/crawl/run/open.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import { releaseRun } from '../../src/publish/release.ts';
import { replay } from '../../src/publish/replay/replay.ts';
import { tidyUp } from '../../src/publish/tidy-up.ts';
import type { Simulator, SimulatorOptions } from '../../src/simulator/index.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { shelvesOf } from '../support/shelves.ts';
import { holdBack } from '../support/stops.ts';
import { asServed, type ReadAs } from './read-as.ts';
import type { BookUnderTest } from './use-direct-book.ts';

/**
 * What the upstream shows on a night: all; all, with pence for pounds, which a check holds; all but three categories in
 * ten, which is partial.
 */
export type Kind = 'whole' | 'dear' | 'partial';

export type Action =
  | {
      readonly does: 'crawl';
      readonly kind: Kind;
      readonly isSameNight: boolean;
      readonly isReleasedMeanwhile: boolean;
    }
  | { readonly does: 'release' | 'abandon'; readonly which: number }
  /** From a night on, counted from the first, or from the last (-1). */
  | { readonly does: 'replay'; readonly from: number }
  /** The mapping is corrected: from now on everything is read otherwise. */
  | { readonly does: 'read otherwise'; readonly isOnPence: boolean }
  | { readonly does: 'release the partial night' | 'abandon while it is read' | 'let it expire' };

const kind = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Kind>('whole') },
  { weight: 3, arbitrary: fc.constant<Kind>('dear') },
  { weight: 1, arbitrary: fc.constant<Kind>('partial') },
);
const which = fc.nat({ max: 3 });
const from = fc.integer({ min: -2, max: 3 });
export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('crawl' as const),
      kind,
      isSameNight: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
      isReleasedMeanwhile: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('release' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('abandon' as const), which }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('replay' as const), from }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('read otherwise' as const), isOnPence: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'release the partial night' as const,
        'abandon while it is read' as const,
        'let it expire' as const,
      ),
    }),
  },
);

const { signal } = new AbortController();

export function faultsOf(simulator: Simulator, kind: Kind, date: string): Pick<SimulatorOptions, 'faults'> {
  if (kind === 'whole') return { faults: [] };
  if (kind === 'dear') return { faults: [{ kind: 'pencePrices' }] };
  const failing = shelvesOf(simulator, date).filter((_, i) => i % 10 < 3);
  return {
    faults: [{ kind: 'notFound', categories: failing.flatMap(({ categoryId, below }) => [categoryId, ...below]) }],
  };
}

export function release({ book }: BookUnderTest, runId: number) {
  return releaseRun(book.context, { runId, why: 'it is so' });
}

/** Does what a person and the clock may do to a region's nights. */
export class Story {
  readonly kindOf = new Map<number, Kind>();
  /** By run: the mapping it was read with last. */
  readonly readAs = new Map<number, ReadAs>();
  readonly #trust: BookUnderTest;
  readonly #mapping: { now: ReadAs };
  #date = '2026-03-01';

  /** `mapping`: what the book reads with; a story begins with it as it is served. */
  constructor(trust: BookUnderTest, mapping: { now: ReadAs } = { now: asServed }) {
    this.#trust = trust;
    this.#mapping = mapping;
    mapping.now = asServed;
  }

  async tell(action: Action): Promise<void> {
    const { base, context } = this.#trust.book;
    const held = await this.#runs('held');
    switch (action.does) {
      case 'crawl':
        if (!action.isSameNight) this.#date = daysAfter(this.#date, 1);
        return this.crawl(action.kind, action.isReleasedMeanwhile);
      case 'release':
        if (held.length > 0) await this.#release(held[action.which % held.length]!);
        return;
      case 'abandon':
        if (held.length > 0) await abandonRun(base, held[action.which % held.length]!.runId, base.clock.now());
        return;
      case 'release the partial night': {
        const last = (await this.#runs('published')).at(-1)!;
        if (last.verdict === 'partial') await release(this.#trust, last.runId);
        return;
      }
      case 'replay': {
        const nights = [...held, ...(await this.#runs('published'))].map(({ snapshotDate }) => snapshotDate).sort();
        return this.#replay(nights.at(action.from % nights.length)!);
      }
      case 'read otherwise': {
        const { mark } = this.#mapping.now;
        this.#mapping.now = { mark: mark + 1, isOnPence: action.isOnPence };
        return;
      }
      case 'abandon while it is read':
        this.#date = daysAfter(this.#date, 1);
        return this.crawl('whole', false, (run) => abandonRun(base, run.runId, base.clock.now()));
      case 'let it expire': {
        this.#date = daysAfter(this.#date, 1);
        const { book } = this.#trust;
        book.setTo(this.#date);
        const waiting = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' });
        await holdBack(base.db, waiting!.runId, 'the disk is full');
        this.#date = daysAfter(this.#date, 1);
        book.setTo(this.#date);
        const next = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'schedule' });
        expect((await base.runs.byId(waiting!.runId)).status).toBe('expired');
        await abandonRun(base, next!.runId, base.clock.now());
      }
    }
  }

  async crawl(kind: Kind, isReleasedMeanwhile: boolean, whileRead?: (run: Run) => Promise<unknown>): Promise<void> {
    const { simulator } = this.#trust;
    simulator.change({ listingCap: 0, ...faultsOf(simulator, kind, this.#date), date: this.#date });
    await this.#trust.book.night('uk', this.#date, async (run) => {
      this.kindOf.set(run.runId, kind);
      this.#note(run.runId);
      if (run.phase === 'categories') await whileRead?.(run);
      const last = (await this.#runs('held')).at(-1);
      if (run.phase === 'finishing' && isReleasedMeanwhile && last) await this.#release(last);
    });
  }

  /** An older night comes in by the replay that the refusal names; while another is open, not at all. */
  async #release({ runId, snapshotDate }: Run): Promise<void> {
    try {
      await release(this.#trust, runId);
    } catch (error) {
      if (!(error instanceof RunRefused)) throw error;
      expect(error.message).toContain(`--release ${runId}`);
      await this.#replay(snapshotDate, runId);
    }
  }

  async #replay(from: string, releasing?: number): Promise<void> {
    if ((await this.#runs('open')).length > 0) return;
    const { config, clock, db } = this.#trust.book.base;
    const { nights, isApplied } = await replay(composeReplay({ config, clock, db }, this.#trust.book.context), {
      from,
      to: this.#date,
      regions: ['uk'],
      release: releasing === undefined ? undefined : { runId: releasing, why: 'it is so' },
      apply: true,
      signal,
    });
    // As the command does.
    if (isApplied) await tidyUp(db);
    for (const { runId } of nights) this.#note(runId);
  }

  #note(runId: number): void {
    this.readAs.set(runId, this.#mapping.now);
  }

  async #runs(status: Run['status']): Promise<Run[]> {
    const runs = await this.#trust.book.base.runs.recent(1_000);
    return runs.filter((run) => run.status === status).sort((a, b) => a.runId - b.runId);
  }
}
