import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RunRefused } from '../../src/base/errors.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;
const window = { from: nights[0], to: nights[2] };

describe('nights with lost payloads', () => {
  const book = useReplayedBook({ items: 100, superDepartments: 2, dailyChange: 0.1 }, ['uk']);
  beforeAll(async () => {
    for (const night of nights) await book.crawl(night);
  });

  const query = (sql: string) => rowsOf<Record<string, unknown>>(book.installation.db, sql);
  const published = () => query('select run_id, content_hash, computed_at from ops.certificate order by 1');

  test.each<[string, (file: string, body: Buffer) => void]>([
    ['missing', (file) => rmSync(file)],
    ['empty', (file) => writeFileSync(file, '')],
    ['truncated', (file, body) => writeFileSync(file, body.subarray(0, body.length * 0.6))],
    ['overwritten', (file, body) => writeFileSync(file, Buffer.alloc(body.length, 7))],
  ])(
    'a replay over a night whose pack is %s counts the lost payloads, names the night and changes nothing',
    async (_, damage) => {
      const folder = join(book.home, 'archive', nights[0]);
      const packs = readdirSync(folder).map((name) => ({
        file: join(folder, name),
        body: readFileSync(join(folder, name)),
      }));
      const before = await published();
      for (const { file, body } of packs) damage(file, body);
      for (const apply of [false, true]) {
        const refused: RunRefused = await book.replay(window, { apply }).catch((error) => error);
        expect(refused).toBeInstanceOf(RunRefused);
        const [, lost] = /^uk 2026-03-01 .* payloads that are lost: (\d+)\./.exec(refused.message) ?? [];
        expect(Number(lost)).toBeGreaterThan(1);
      }
      expect(await published()).toEqual(before);
      for (const { file, body } of packs) writeFileSync(file, body);
      expect((await book.replay(window)).differences).toEqual([]);
    },
  );

  test('the other nights of a damaged archive are replayed', async () => {
    const folder = join(book.home, 'archive', nights[0]);
    rmSync(folder, { recursive: true });
    expect((await book.replay({ from: nights[1], to: nights[2] })).differences).toEqual([]);
    await expect(book.replay(window)).rejects.toThrow(RunRefused);
  });
});
