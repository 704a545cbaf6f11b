import { beforeEach, expect, test } from 'vitest';
import { openNight } from '../../src/crawl/run/open.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { playInto } from '../docs/played-book.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useFolder } from '../support/folder.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';

const installation = useInstallation();
const home = useFolder('played');

const simulator = { items: 40, superDepartments: 2 };
const play = (date: string, nights: number | null) =>
  playInto(installation, { home, now: nightOf(date), nights, maxDetails: 0, simulator });

beforeEach(() => forgetEverything(installation.db));

/** Opens the night of uk on a date, and leaves it there. */
const leaveOpen = (date: string, crawler = {}) =>
  withCrawler(
    { installation, upstream: null, now: nightOf(date), crawler: { simulator, jobs: [], ...crawler } },
    (_, { context }) => openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' }),
  );

async function runs(): Promise<string[]> {
  const found = await rowsOf<{ said: string }>(
    installation.db,
    `select concat_ws(' ', region, snapshot_date, status, upstream) as said
     from ops.run
     order by region, run_id`,
  );
  return found.map(({ said }) => said);
}

test('an open night of an earlier date is finished first, then later nights are played up to the limit', async () => {
  await leaveOpen('2026-03-07');
  await play('2026-03-09', 1);
  expect((await runs()).filter((run) => run.startsWith('uk'))).toEqual([
    'uk 2026-03-07 published simulator seed=1 items=40 date=2026-03-07',
    'uk 2026-03-08 published simulator seed=1 items=40 date=2026-03-08',
  ]);
  expect((await runs()).filter((run) => run.startsWith('ie'))).toHaveLength(1);

  // Opened again it has the nights between; of more than are to be played, the first are missed.
  const said = await play('2026-03-12', 1);
  for (const region of ['uk', 'ie'])
    expect(said).toContain(
      `${region} skips 2 nights, 2026-03-09 to 2026-03-10 permanently: --nights 1 limits the nights`,
    );
  expect(said).toMatch(/^night 1 of 1: 2026-03-11, uk complete with \d+ products, ie complete with \d+ products\n$/m);
  expect(await play('2026-03-12', 9)).toBe('');
  expect((await runs()).map((run) => run.slice(0, 23))).toEqual([
    'ie 2026-03-08 published',
    'ie 2026-03-11 published',
    'uk 2026-03-07 published',
    'uk 2026-03-08 published',
    'uk 2026-03-11 published',
  ]);
  const missed = await rowsOf<{ night: string }>(
    installation.db,
    `select concat_ws(' ', region, snapshot_date) as night from marts.missed_night order by 1`,
  );
  expect(missed.map(({ night }) => night)).toEqual([
    'ie 2026-03-09',
    'ie 2026-03-10',
    'uk 2026-03-09',
    'uk 2026-03-10',
  ]);
});
