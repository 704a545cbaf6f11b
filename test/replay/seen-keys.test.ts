import { expect, test } from 'vitest';
import { brokenInvariants } from '../support/invariants.ts';
import { Story } from '../trust/story.ts';
import { useDirectBook } from '../trust/use-direct-book.ts';

const supermarket = { items: 60, superDepartments: 4 };
const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' } });

test('nights that come in by a replay, before a later one, leave no pages of older nights that keep what they saw', async () => {
  const story = new Story(trust);
  const crawl = (kind: 'whole' | 'dear') =>
    story.tell({ does: 'crawl', kind, isSameNight: false, isReleasedMeanwhile: false });
  for (const kind of ['whole', 'whole', 'whole', 'dear', 'dear', 'dear'] as const) await crawl(kind);
  // The last of them first: the others then come in before it.
  await story.tell({ does: 'release', which: 2 });
  await story.tell({ does: 'release', which: 0 });
  await story.tell({ does: 'release', which: 0 });
  const { db } = trust.book.base;
  const { rows } = await db.query(`select status, count(*)::int as runs from ops.run group by status`);
  expect(rows).toEqual([{ status: 'published', runs: 6 }]);
  expect(await brokenInvariants(db)).toEqual([]);
});
