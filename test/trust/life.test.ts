import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeReplay } from '../../src/compose.ts';
import { openNight } from '../../src/crawl/open-night.ts';
import { releaseRun } from '../../src/crawl/release-run.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { certifiedNights } from '../../src/derive/certified-nights.ts';
import { deriveNights } from '../../src/derive/derive-nights.ts';
import { RunRefused } from '../../src/errors.ts';
import { abandonRun } from '../../src/ledger/abandon-run.ts';
import type { Run } from '../../src/ledger/runs.ts';
import { countDifferingFigures } from '../../src/quality/audits/daily-figures.ts';
import { verifyNights } from '../../src/quality/audits/verify.ts';
import { replayArchive } from '../../src/replay/replay-archive.ts';
import type { Simulator, SimulatorOptions } from '../../src/simulator/index.ts';
import { daysAfter } from '../bench/night-clock.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { knownProducts } from '../support/truth.ts';
import { shelvesOf } from './injections.ts';
import { type BookUnderTest, useDirectBook } from './use-direct-book.ts';

/** What the upstream shows on a night: all; all, with pence for pounds, which a check holds; all but three categories in ten, which is partial. */
type Kind = 'whole' | 'dear' | 'partial';

type Action =
  | {
      readonly does: 'crawl';
      readonly kind: Kind;
      readonly isSameNight: boolean;
      readonly isReleasedMeanwhile: boolean;
    }
  | { readonly does: 'release' | 'abandon'; readonly which: number }
  | { readonly does: 'replay'; readonly from: number }
  | { readonly does: 'release the partial night' | 'abandon while it is read' | 'let it expire' };

const kind = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Kind>('whole') },
  { weight: 3, arbitrary: fc.constant<Kind>('dear') },
  { weight: 1, arbitrary: fc.constant<Kind>('partial') },
);
const which = fc.nat({ max: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
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
  { weight: 1, arbitrary: fc.record({ does: fc.constant('replay' as const), from: which }) },
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

/** More by hand: `SEQUENCES=200 npx vitest run test/trust/life.test.ts`. */
const sequences = Number(process.env['SEQUENCES'] ?? 2);
const { signal } = new AbortController();
const supermarket = { items: 60, superDepartments: 4, dailyChange: 0.2, dailyTurnover: 0.1, promoted: 0.3 };

describe('nights that are held, released in any order, replayed, abandoned and crawled again', () => {
  const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' } });
  /** Crawls, in order, what was published in the end, and nothing else. */
  const reference = useDirectBook(supermarket);

  test('read in the end as the nights that were published say, each as it was served', {
    timeout: 120_000 + sequences * 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 7 }), async (actions) => {
        const story = new Story(trust);
        await forgetEverything(trust.book.base.db);
        await story.crawl('whole', false);
        const { db } = trust.book.base;
        for (const each of actions) {
          await story.tell(each);
          await deriveNights(db, 'uk');
        }
        expect((await verifyNights(db, { now: new Date() })).filter(({ isSame }) => !isSame)).toEqual([]);
        expect(await brokenInvariants(db)).toEqual([]);
        for (const { snapshotDate } of await certifiedNights(db, 'uk'))
          expect([snapshotDate, await countDifferingFigures(db, 'uk', snapshotDate)]).toEqual([snapshotDate, 0]);

        await forgetEverything(reference.book.base.db);
        const published = await rowsOf<{ run_id: number; date: string; is_certified: boolean }>(
          db,
          `select run_id, snapshot_date as date, verdict <> 'partial' as is_certified from ops.run where status = 'published' order by observed_at`,
        );
        for (const { run_id, date, is_certified } of published) {
          // What is asked to be sure is drawn by the number of the run.
          await reference.book.base.db.query(`select setval(pg_get_serial_sequence('ops.run', 'run_id'), $1, false)`, [
            run_id,
          ]);
          let run = await reference.night(date, faultsOf(reference.simulator, story.kindOf.get(run_id)!, date));
          if (run.status === 'held') await release(reference, run.runId);
          run = await reference.book.base.runs.byId(run.runId);
          if (is_certified && run.verdict === 'partial') await release(reference, run.runId);
        }
        for (const { date } of published) {
          const known = await knownProducts(db, 'uk', date);
          const served = await knownProducts(reference.book.base.db, 'uk', date);
          expect(sorted(known)).toEqual(sorted(served));
        }
      }),
      { numRuns: sequences },
    );
  });
});

const sorted = (known: ReadonlyMap<string, unknown>) => [...known].sort(([a], [b]) => (a < b ? -1 : 1));

function faultsOf(simulator: Simulator, kind: Kind, date: string): Pick<SimulatorOptions, 'faults'> {
  if (kind === 'whole') return { faults: [] };
  if (kind === 'dear') return { faults: [{ kind: 'pencePrices' }] };
  const failing = shelvesOf(simulator, date).filter((_, i) => i % 10 < 3);
  return {
    faults: [{ kind: 'notFound', categories: failing.flatMap(({ categoryId, below }) => [categoryId, ...below]) }],
  };
}

function release({ book }: BookUnderTest, runId: number) {
  return releaseRun(book.context, { runId, why: 'it is so', signal });
}

/** Does what a person and the clock may do to a region's nights. */
class Story {
  readonly kindOf = new Map<number, Kind>();
  readonly #trust: BookUnderTest;
  #date = '2026-03-01';

  constructor(trust: BookUnderTest) {
    this.#trust = trust;
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
        return this.#replay(nights[action.from % nights.length]!);
      }
      case 'abandon while it is read':
        this.#date = daysAfter(this.#date, 1);
        return this.crawl('whole', false, (run) => abandonRun(base, run.runId, base.clock.now()));
      case 'let it expire': {
        this.#date = daysAfter(this.#date, 1);
        const { book } = this.#trust;
        book.setTo(this.#date);
        const waiting = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' });
        await base.runs.pause(waiting!.runId, 'the key is refused', null);
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
      if (run.phase === 'listing') await whileRead?.(run);
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
    await replayArchive(composeReplay({ config, clock, db }), {
      from,
      to: this.#date,
      regions: ['uk'],
      parts: ['listing', 'detail'],
      release: releasing === undefined ? undefined : { runId: releasing, why: 'it is so' },
      apply: true,
      signal,
    });
  }

  async #runs(status: Run['status']): Promise<Run[]> {
    const runs = await this.#trust.book.base.runs.recent(100);
    return runs.filter((run) => run.status === status).sort((a, b) => a.runId - b.runId);
  }
}
