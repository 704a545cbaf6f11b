import { expect, test } from 'vitest';
import { composeReplay } from '../../src/app/compose.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { replayArchive } from '../../src/publish/replay/replay-archive.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { recallEverything } from '../support/remember-everything.ts';
import { release } from '../trust/story.ts';
import { useDirectBook } from '../trust/use-direct-book.ts';
import { isKilled, killedAfterApply } from './killed-after-apply.ts';

/** Prices a hundredfold off, which a check holds until a person releases them. */
const dear = { faults: [{ kind: 'pencePrices' }] } as const;
const date = (night: number) => `2026-03-0${night}`;
const lastNight = 6;

/**
 * Three normal nights and three expensive ones, of which the last is released: only a replay can bring in the others.
 */
const trust = useDirectBook(
  { items: 60, superDepartments: 4 },
  {
    env: { ARCHIVE: 'file' },
    async begin(night) {
      for (const one of [1, 2, 3]) await night(date(one));
      let last: Run | null = null;
      for (const one of [4, 5, lastNight]) last = await night(date(one), { faults: [...dear.faults] });
      await release(trust, last!.runId);
    },
  },
);

test('a replay killed after it was applied is complete, and the next command cleans up', async () => {
  const { base } = trust.book;
  const { db } = base;
  const leftByKill: number[] = [];
  let isOver = false;
  for (let statements = 0; !isOver; statements += 1) {
    await recallEverything(db);
    const first = (await base.runs.recent(10)).findLast(({ status }) => status === 'held')!;
    isOver = await replay(killedAfterApply(db, statements), first.runId).then(
      () => true,
      (error) => {
        if (!isKilled(error)) throw error;
        return false;
      },
    );
    const by = `killed before statement ${statements} after it was applied`;
    expect((await base.runs.byId(first.runId)).status, by).toBe('published');
    leftByKill.push((await leftovers()).length);
    if (statements % 2 === 0) await replay(db);
    else expect((await trust.night(date(lastNight + 1), { faults: [...dear.faults] })).status, by).toBe('published');
    expect({ by, broken: await brokenInvariants(db), left: await leftovers() }).toEqual({ by, broken: [], left: [] });
  }
  // Each step of tidying up has something to do.
  expect(leftByKill[0]).toBeGreaterThan(0);
  expect(leftByKill.at(-1)).toBe(0);
}, 240_000);

/** Reads the dear nights again, and with `runId` brings that one in before those that were published later. */
function replay(db: Database, runId?: number) {
  const { config, clock } = trust.book.base;
  return replayArchive(composeReplay({ config, clock, db }), {
    from: date(4),
    to: date(lastNight),
    regions: ['uk'],
    parts: ['listing', 'detail'],
    ...(runId === undefined ? {} : { release: { runId, why: 'it is so' } }),
    apply: true,
    signal: new AbortController().signal,
  });
}

/** Everything that a replay or publication should have removed or created. */
async function leftovers(): Promise<unknown[]> {
  const { db } = trust.book.base;
  const rows = await rowsOf<{ what: string }>(
    db,
    `select distinct 'staged listing of run ' || s.run_id as what
     from stage.product s join ops.run r using (run_id) where r.status = 'published'`,
  );
  return [...rows.map(({ what }) => what), ...(await brokenInvariants(db))];
}
