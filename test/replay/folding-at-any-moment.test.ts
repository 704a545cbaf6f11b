import { describe, expect, test } from 'vitest';
import { clockFrom } from '../../src/clock.ts';
import { composePruning, composeStaging, settingsOf } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { releaseRun } from '../../src/crawl/release-run.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { RunRefused } from '../../src/errors.ts';
import { foldLedger } from '../../src/ledger/fold.ts';
import { createRuns } from '../../src/ledger/runs.ts';
import { contentHash } from '../../src/quality/audits/content-hash.ts';
import { nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { createRandom } from '../trust/random.ts';
import { useReplayedBook } from './replayed-book.ts';

const dateOf = (day: number) => new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10);

/** Of its draws four are enough: all four actions, a release of a partial night among them, and two folds that have something to fold. */
const chosen = 126;
/** More by hand: `SEQUENCES=20 npx vitest run test/replay/folding-at-any-moment.test.ts`. */
const more = Number(process.env['SEQUENCES'] ?? 0);

describe.each([chosen, ...Array.from({ length: more }, (_, n) => n + 1)])(
  'folding between actions drawn by seed %i',
  (seed) => {
    const book = useReplayedBook({ items: 60, superDepartments: 2, dailyChange: 0.1, dailyTurnover: 0.02 }, ['uk']);
    const random = createRandom(seed);
    let days = 0;
    let archivedFrom = 0;
    /** Nights on which pages were missing: they show less than was served, until they are released or read again. */
    const partial = new Set<string>();

    const actions = {
      async crawl() {
        const isFaulty = days > 0 && random.happens(0.3);
        const date = dateOf(days++);
        book.simulator.change({ faults: isFaulty ? [{ kind: 'vendor400', categories: departmentOn(date) }] : [] });
        const [run] = await book.crawl(date);
        if (run!.verdict === 'partial') partial.add(date);
      },
      async release() {
        const { db, databaseUrl } = book.installation;
        const [last] = await createRuns(db).recent(1, 'uk');
        if (last?.verdict !== 'partial') return;
        const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: book.home }, { cwd: book.home });
        const runs = createRuns(db);
        const needs = {
          db,
          runs,
          clock: clockFrom(nightOf(last.snapshotDate)),
          settings: settingsOf(config),
          stagedOnBase: composeStaging({ config, db, runs }),
        };
        const { signal } = new AbortController();
        await releaseRun(needs, { runId: last.runId, why: 'the shelf was emptied', signal });
      },
      async replay() {
        await book.replay({ from: dateOf(random.from(archivedFrom, days - 1)), to: dateOf(days - 1) }, { apply: true });
      },
      async prune() {
        if (days < 6) return;
        const { db, databaseUrl } = book.installation;
        const config = loadConfig({ DATABASE_URL: databaseUrl, PRICEBOOK_HOME: book.home }, { cwd: book.home });
        archivedFrom = Math.max(archivedFrom, random.from(0, days - 5));
        // So many whole days before the noon that follows the last night.
        const now = new Date(`${dateOf(days)}T00:00:00Z`);
        await composePruning({ config, db, clock: clockFrom(now) })(days - archivedFrom);
      },
    };

    test('changes no answer of certificates, as_of and replays', { timeout: 600_000 }, async () => {
      const { db } = book.installation;
      for (let night = 0; night < 5; night++) await actions.crawl();
      let folded = 0;
      const played: string[] = [];
      for (let step = 0; step < (seed === chosen ? 4 : 12); step++) {
        const name = random.pick(Object.keys(actions)) as keyof typeof actions;
        await actions[name]();
        const before = await answers();
        const { runs } = await foldLedger(db, { before: nightOf(dateOf(random.from(0, days + 1))) });
        folded += runs;
        played.push(name);
        // A fold that found nothing has written nothing.
        if (runs > 0) expect(await answers(), `after ${name}, step ${step}`).toEqual(before);
        expect(await brokenInvariants(db), `after ${name}, step ${step}`).toEqual([]);
      }
      if (seed === chosen) {
        // Otherwise the seed shows nothing.
        expect(folded, played.join(', ')).toBeGreaterThan(1);
        expect(partial.size, played.join(', ')).toBeGreaterThan(0);
        expect(new Set(played).size, played.join(', ')).toBe(4);
      }
      for (let day = 0; day < days; day++) {
        if (!partial.has(dateOf(day)) && !partial.has(dateOf(day - 1)) && !partial.has(dateOf(day - 2))) {
          expect(await disagreements(db, book.simulator, 'uk', dateOf(day))).toEqual([]);
        }
      }
    });

    /** All that one department shows, at every level: none of it can be read. */
    function departmentOn(date: string): string[] {
      const products = [...book.simulator.truth('uk', date)];
      const top = products[0]!.categoryIds[0]!;
      const below = products.filter(({ categoryIds }) => categoryIds.includes(top));
      return [...new Set(below.flatMap(({ categoryIds }) => categoryIds))];
    }

    async function answers() {
      const { db } = book.installation;
      const certificates = await rowsOf<{ line: string }>(
        db,
        `select row(r.snapshot_date, r.status, r.verdict, r.products_listed, r.requests_spent, c.reasons, c.content_hash)::text as line
       from ops.run r left join ops.certificate c using (run_id) order by run_id`,
      );
      const hashes: (string | null)[] = [];
      const runs = await rowsOf<{ runId: number }>(
        db,
        `select run_id as "runId" from ops.run where status = 'published' order by run_id`,
      );
      for (const { runId } of runs) hashes.push(await contentHash(db, runId));
      // Of nights whose payloads are forgotten, too.
      const all = archivedFrom > 0 ? await replayed(0) : null;
      return { certificates, hashes, replayed: await replayed(archivedFrom), all };
    }

    async function replayed(from: number) {
      try {
        return await book.replay({ from: dateOf(from), to: dateOf(days - 1) });
      } catch (error) {
        if (!(error instanceof RunRefused)) throw error;
        return error.message;
      }
    }
  },
);
