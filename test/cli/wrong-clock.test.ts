import { expect, test } from 'vitest';
import { watchClock } from '../../src/app/watch-clock.ts';
import { clockFrom, systemClock } from '../../src/base/clock.ts';
import type { PricebookError } from '../../src/base/errors.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { useCliHome } from './pricebook.ts';

const book = useInstallation();
const { start } = useCliHome({ book });

/** What Node reads before the program: a clock that is two days ahead. */
const ahead = `--import=data:text/javascript,${encodeURIComponent(`
  const Right = Date, aheadMs = 2 * 86_400_000;
  globalThis.Date = class extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() + aheadMs) : super(...given); }
    static now() { return Right.now() + aheadMs; }
  };`)}`;

test.each([['work'], ['schedule'], ['crawl', '--items', '100']])(
  "`%s` opens no future night if its machine's clock is days ahead",
  async (...args) => {
    const { code, stderr } = await start(args, { NODE_OPTIONS: ahead }).ended;
    expect(stderr).toMatch(/This machine's clock says .*, the database's .*Correct the clock, best by NTP/);
    expect(code).toBe(78);
    expect(await rowsOf(book.db, 'select from ops.run')).toEqual([]);
  },
);

test('a clock that is minutes off or set by --now is accepted', async () => {
  const end = () => expect.fail('it was ended');
  const minutes = { now: () => new Date(systemClock.now().getTime() - 40 * 60_000) };
  await (await watchClock(book.db, { clock: minutes, end })).close();
  await (await watchClock(book.db, { clock: clockFrom(new Date('2026-03-01T02:00:00Z')), end })).close();
});

test('a process ends in order if its clock is set wrong while it runs', async () => {
  let offMs = 0;
  const clock = { now: () => new Date(systemClock.now().getTime() + offMs) };
  const ended: PricebookError[] = [];
  const watch = await watchClock(book.db, { clock, end: (reason) => void ended.push(reason) }, 20);
  try {
    offMs = -30 * 86_400_000;
    await expect.poll(() => ended[0]).toMatchObject({ message: expect.stringMatching(/clock says/), exitCode: 78 });
  } finally {
    await watch.close();
  }
});
