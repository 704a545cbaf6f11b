import { describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { copiedRows, differingRows, openCopy, refreshCopy } from '../support/incremental-copy.ts';
import { type Action, Story } from './story.ts';
import { useDirectBook } from './use-direct-book.ts';

const crawl = (
  kind: 'whole' | 'dear' | 'partial',
  { isSameNight = false, isReleasedMeanwhile = false } = {},
): Action => ({
  does: 'crawl',
  kind,
  isSameNight,
  isReleasedMeanwhile,
});
const again = { isSameNight: true };
/** The last held night is released while this one is read. */
const meanwhile = { isReleasedMeanwhile: true };

describe('an incremental copy of the marts', () => {
  const trust = useDirectBook(
    { items: 60, superDepartments: 4, dailyChange: 0.3, dailyTurnover: 0.1, promoted: 0.5, packChanges: 0.1 },
    { env: { ARCHIVE: 'file' } },
  );

  /** Compares after every step, before and after its data are derived. */
  async function follow(actions: readonly Action[], derivesAfter: (step: number) => boolean): Promise<void> {
    const { db, clock } = trust.book.base;
    const look = async (step: unknown, when: string) => {
      await refreshCopy(db);
      expect({ step, when, differing: await differingRows(db) }).toEqual({ step, when, differing: [] });
    };
    const story = new Story(trust);
    await story.crawl('whole', false);
    await openCopy(db);
    await look('first night', 'published');
    for (const [n, each] of actions.entries()) {
      await story.tell(each);
      await look(each, 'published');
      if (!derivesAfter(n)) continue;
      await deriveNights(db, 'uk', { clock });
      await look(each, 'derived');
    }
    await deriveAnew(look);
  }

  /**
   * By other rules, as after an update of the program, cut off after the first night: the others say nothing until they
   * are derived, too.
   */
  async function deriveAnew(look: (step: unknown, when: string) => Promise<void>): Promise<void> {
    const { db, clock } = trust.book.base;
    const cut = new AbortController();
    const anew = { clock, rules: 1_000, nightsAtOnce: 1 };
    await expect(
      deriveNights(db, 'uk', { ...anew, signal: cut.signal, onDerived: () => cut.abort() }),
    ).rejects.toThrow();
    await look('other rules', 'cut off');
    await deriveNights(db, 'uk', { ...anew, nightsAtOnce: 200 });
    await look('other rules', 'derived');
  }

  test('a copy equals the marts after each step of holding, releasing, replaying, abandoning, ' +
    'expiring and crawling again', {
    timeout: 240_000,
  }, async () => {
    await forgetEverything(trust.book.base.db);
    await follow(
      [
        crawl('whole'),
        crawl('dear'),
        crawl('whole'),
        crawl('whole', again),
        { does: 'release', which: 0 },
        crawl('partial'),
        { does: 'release the partial night' },
        crawl('dear', again),
        { does: 'replay', from: 1 },
        crawl('dear'),
        { does: 'abandon', which: 1 },
        { does: 'let it expire' },
        { does: 'abandon while it is read' },
        crawl('whole', meanwhile),
      ],
      (n) => n % 3 !== 1,
    );
    const rows = await copiedRows(trust.book.base.db);
    expect(Object.entries(rows).filter(([, count]) => count === 0)).toEqual([]);
  });
});
