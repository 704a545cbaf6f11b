import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallUpstream } from '../support/small-upstream.ts';
import { useHousehold } from './pricebook.ts';

const goods = [0, 1, 2, 3, 4].map((n) => ({ id: String(100 + n) }));

describe('a database that is emptied while programs use it', () => {
  const book = useInstallation();
  const { start } = useHousehold({ book });
  let upstream: SmallUpstream;
  let answer: () => void;
  beforeAll(async () => {
    const released = new Promise<void>((resolve) => (answer = resolve));
    upstream = await createSmallUpstream({ shelves: { Fruit: goods, Tea: goods }, until: () => released });
  });
  afterAll(async () => {
    answer();
    await upstream.close();
  });

  test('emptying the database stops running programs with one line, and the next command starts anew', async () => {
    const env = { GROCERY_BASE_URL: upstream.url };
    const crawl = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];
    const worker = start(['work'], env);
    await worker.until(/"working"/);
    const crawling = start(crawl, env);
    await expect.poll(() => upstream.log.length, { timeout: 30_000 }).toBe(2);

    expect(await start(['reset', '--yes', '--database'], env).ended).toMatchObject({ code: 0 });
    answer();
    for (const { ended } of [worker, crawling]) {
      const { code, stderr } = await ended;
      expect(stderr.match(/^pricebook: .*$/gm)).toEqual([
        expect.stringMatching(/^pricebook: The database was emptied while this program was running, .* Start it again/),
      ]);
      expect(stderr).not.toContain('this is a bug');
      expect(code).toBe(78);
    }
    expect(await start(crawl, env).ended).toMatchObject({ code: 0 });
    expect(await rowsOf(book.db, 'select run_id as run, status from ops.run')).toEqual([
      { run: 1, status: 'published' },
    ]);
  });
});
