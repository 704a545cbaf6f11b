import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { certifiedNights } from '../../src/derive/certified-nights.ts';
import { deriveNights } from '../../src/derive/derive-nights.ts';
import { countDifferingFigures } from '../../src/quality/audits/daily-figures.ts';
import { countDifferingSteps } from '../../src/quality/audits/price-steps.ts';
import { verifyNights } from '../../src/quality/audits/verify.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { knownProducts } from '../support/truth.ts';
import { action, faultsOf, release, Story } from './story.ts';
import { useDirectBook } from './use-direct-book.ts';

/** More by hand: `SEQUENCES=200 npx vitest run test/trust/life.test.ts`, or one book of some sixty nights: `SEQUENCES=1 ACTIONS=170`. */
const sequences = Number(process.env['SEQUENCES'] ?? 2);
const actionsAtOnce = Number(process.env['ACTIONS'] ?? 0);
const told = fc.array(action, { minLength: actionsAtOnce || 2, maxLength: actionsAtOnce || 7 });
const supermarket = { items: 60, superDepartments: 4, dailyChange: 0.2, dailyTurnover: 0.1, promoted: 0.3 };

describe('nights that are held, released in any order, replayed, abandoned and crawled again', () => {
  const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' } });
  /** Crawls, in order, what was published in the end, and nothing else. */
  const reference = useDirectBook(supermarket);

  test('read in the end as the nights that were published say, each as it was served', {
    timeout: 120_000 + sequences * (60_000 + actionsAtOnce * 20_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(told, async (actions) => {
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
        for (const { snapshotDate } of await certifiedNights(db, 'uk')) {
          expect([snapshotDate, await countDifferingFigures(db, 'uk', snapshotDate)]).toEqual([snapshotDate, 0]);
          expect([snapshotDate, await countDifferingSteps(db, 'uk', snapshotDate)]).toEqual([snapshotDate, 0]);
        }

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
