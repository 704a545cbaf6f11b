import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeReplay } from '../../src/app/compose.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { certifiedNights } from '../../src/followers/derive/owed-nights.ts';
import { readEnvelope } from '../../src/gateway/envelope.ts';
import { certifyAndPublish } from '../../src/publish/publish-night.ts';
import { countDifferingFigures } from '../support/derived-figures.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { knownProducts } from '../support/truth.ts';
import { asServed, readingAs } from './read-as.ts';
import { type Action, action, faultsOf, release, Story } from './story.ts';
import { useDirectBook } from './use-direct-book.ts';

/**
 * More by hand: `SEQUENCES=200 npx vitest run test/trust/life.test.ts`, or one book of some sixty nights: `SEQUENCES=1
 * ACTIONS=170`.
 */
const sequences = Number(process.env['SEQUENCES'] ?? 2);
const actionsAtOnce = Number(process.env['ACTIONS'] ?? 0);
const told = fc.array(action, { minLength: actionsAtOnce || 2, maxLength: actionsAtOnce || 7 });
/** What chance seldom draws: a held night is read otherwise, and published then or when it is released. */
const seldomDrawn = [false, true].map((isOnPence): Action[] => [
  { does: 'crawl', kind: 'dear', isSameNight: false, isReleasedMeanwhile: false },
  { does: 'read otherwise', isOnPence },
  { does: 'replay', from: -1 },
  { does: 'release', which: 0 },
]);
const replayOfAll: Action = { does: 'replay', from: 0 };
const supermarket = { items: 60, superDepartments: 4, dailyChange: 0.2, dailyTurnover: 0.1, promoted: 0.3 };

describe('nights that are held, released, replayed, abandoned and crawled again', () => {
  const mapping = { now: asServed };
  const crawler = { endpointsOf: readingAs(() => mapping.now) };
  const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' }, crawler, maxDetails: 10 });
  /** Crawls the finally published nights in order, and nothing else. */
  const reference = useDirectBook(supermarket, { crawler, maxDetails: 10 });

  test('the final history is that of the published nights, each as served and as read last', {
    timeout: 120_000 + sequences * (60_000 + actionsAtOnce * 20_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(told, fc.boolean(), async (actions, endsReadAlike) => {
        const story = new Story(trust, mapping);
        await forgetEverything(trust.book.base.db);
        await story.crawl('whole', false);
        const { db } = trust.book.base;
        for (const each of [...actions, ...(endsReadAlike ? [replayOfAll] : [])]) {
          await story.tell(each);
          await deriveNights(db, 'uk');
        }
        expect((await verifyNights(db, { now: new Date() })).filter(({ isSame }) => !isSame)).toEqual([]);
        expect(await brokenInvariants(db)).toEqual([]);
        for (const { snapshotDate } of await certifiedNights(db, 'uk')) {
          expect([snapshotDate, await countDifferingFigures(db, 'uk', snapshotDate)]).toEqual([snapshotDate, 0]);
        }

        const published = await rowsOf<PublishedRun>(
          db,
          `select run_id, snapshot_date as date, observed_at, verdict <> 'partial' as is_certified
           from ops.run
           where status = 'published'
           order by observed_at`,
        );
        await crawlReference(published, story);
        const marks = new Set(published.map(({ run_id }) => story.readAs.get(run_id)!.mark));
        for (const { date } of published) {
          // What a promotion means is kept once: nights that were read by several mappings share the meaning that was
          // read last.
          const known = await knownProducts(db, 'uk', date);
          const served = await knownProducts(reference.book.base.db, 'uk', date);
          expect(sorted(known, marks.size === 1)).toEqual(sorted(served, marks.size === 1));
        }
        await expectDetailsAsRead(published, story);
      }),
      { numRuns: sequences + seldomDrawn.length, examples: seldomDrawn.map((actions) => [actions, false]) },
    );
  });

  async function crawlReference(published: readonly PublishedRun[], story: Story): Promise<void> {
    const { base, context } = reference.book;
    const { db, runs } = base;
    await forgetEverything(db);
    for (const { run_id, date, is_certified } of published) {
      // What is asked to be sure is drawn by the number of the run.
      await db.query(`select setval(pg_get_serial_sequence('ops.run', 'run_id'), $1, false)`, [run_id]);
      mapping.now = story.readAs.get(run_id)!;
      let run = await reference.night(date, faultsOf(reference.simulator, story.kindOf.get(run_id)!, date));
      if (run.status === 'held') {
        // What was published stays so in a replay, whatever its checks would say: uncertified, if it was.
        if (is_certified) await release(reference, run_id);
        else {
          await certifyAndPublish(context, run, { replayed: 'published' });
        }
      }
      run = await runs.byId(run_id);
      if (is_certified && run.verdict === 'partial') await release(reference, run_id);
    }
  }

  /** The details of every night are those that were read last until then, in the archive's own words. */
  async function expectDetailsAsRead(published: readonly PublishedRun[], story: Story): Promise<void> {
    const { db, config, clock } = trust.book.base;
    const { archive } = composeReplay({ config, clock, db });
    const last = new Map<string, string | null>();
    for (const { run_id, date, observed_at } of published) {
      mapping.now = story.readAs.get(run_id)!;
      const asked = await rowsOf<{ product_id: string; sha256: string }>(
        db,
        `select product_id, encode(payload_sha256, 'hex') as sha256
         from ops.detail_fetch
         where run_id = $1 and outcome = 'found'`,
        [run_id],
      );
      for (const { product_id: productId, sha256 } of asked) {
        const body = readEnvelope(await archive.get(sha256), {}).body;
        const { records } = crawler.endpointsOf.uk.productDetails.read(body!, { productId });
        last.set(productId, records!.description);
      }
      const kept = await rowsOf<{ product_id: string; description: string | null }>(
        db,
        `select product_id, description from catalog.product_detail d join catalog.product using (product_key)
         where d.valid_from <= $1 and (d.valid_to is null or d.valid_to > $1)`,
        [observed_at],
      );
      const details = new Map(kept.map(({ product_id, description }) => [product_id, description]));
      expect([date, sorted(details)]).toEqual([date, sorted(last)]);
    }
  }
});

interface PublishedRun {
  readonly run_id: number;
  readonly date: string;
  readonly observed_at: Date;
  readonly is_certified: boolean;
}

/** By product; without loyalty prices where `hasOffers` says so. */
function sorted(known: ReadonlyMap<string, unknown>, hasOffers = true) {
  const told = [...known].sort(([a], [b]) => (a < b ? -1 : 1));
  return hasOffers ? told : told.map(([id, product]) => [id, { ...(product as object), loyaltyPrice: null }]);
}
