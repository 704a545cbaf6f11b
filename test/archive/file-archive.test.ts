import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { payload, shaOf } from './payload.ts';

describe('the archive', () => {
  const database = useDatabase();
  let root: string;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'pricebook-archive-'));
    await database.db.query('truncate ops.payload');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const open = () => createArchive({ packs: createPackFolder(root), db: database.db });

  test('the archive returns every body as received, also after it was opened again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 90 }), async (bodies) => {
        const archive = open();
        await Promise.all(bodies.map((body) => archive.put([payload(body)], 1)));
        for (const body of bodies) expect([...(await archive.get(shaOf(body)))]).toEqual([...body]);
        await archive.close();
        const reopened = open();
        for (const body of bodies) expect([...(await reopened.get(shaOf(body)))]).toEqual([...body]);
      }),
      { numRuns: 15 },
    );
  });

  test('a process writes one pack a day, even if responses of both regions alternate', async () => {
    const archive = open();
    for (let index = 0; index < 20; index += 1) {
      await archive.put([payload(Buffer.from(`answer ${index}`), { region: index % 2 === 0 ? 'uk' : 'ie' })], 1);
    }
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => archive.put([payload(Buffer.from(`other ${index}`))], 1)),
    );
    await archive.put([payload(Buffer.from('the next day'), { receivedAt: new Date('2026-03-02T02:00:00Z') })], 1);
    await archive.close();
    expect(packs().map((name) => name.replace(/[^/]+$/, ''))).toEqual(['2026-03-01/', '2026-03-02/']);
    const rows = await rowsOf<{ pack: string }>(database.db, 'select distinct pack from ops.payload order by 1');
    expect(rows.map(({ pack }) => pack)).toEqual(packs());
  });

  test('a damaged, truncated, missing or never archived payload is an error that names the problem', async () => {
    const archive = open();
    const [first, second] = [Buffer.from('first '.repeat(20)), Buffer.from('second '.repeat(20))];
    await archive.put([payload(first)], 1);
    await archive.put([payload(second)], 1);
    await archive.close();
    const pack = join(root, packs()[0]!);
    const bytes = readFileSync(pack);
    const spoilt = Buffer.from(bytes);
    spoilt[25] = spoilt[25]! ^ 0xff;
    writeFileSync(pack, spoilt);
    await expect(archive.get(shaOf(first))).rejects.toThrow();
    expect([...(await archive.get(shaOf(second)))]).toEqual([...second]);
    truncateSync(pack, bytes.length - 5);
    await expect(archive.get(shaOf(second))).rejects.toThrow();
    rmSync(pack);
    await expect(archive.get(shaOf(first))).rejects.toThrow(
      `.pack.gz is not in ${root}. A crawl with another PRICEBOOK_HOME`,
    );
    await expect(archive.get('00'.repeat(32))).rejects.toThrow('not in the archive');
  });

  test('payloads that could not be stored fail, and later ones are stored again', async () => {
    const blocked = join(root, 'file');
    writeFileSync(blocked, '');
    const archive = createArchive({ packs: createPackFolder(blocked), db: database.db });
    await expect(archive.put([payload(Buffer.from('one'))], 1)).rejects.toThrow();
    rmSync(blocked);
    await archive.put([payload(Buffer.from('one'))], 1);
    expect(Buffer.from(await archive.get(shaOf(Buffer.from('one')))).toString()).toBe('one');
    await archive.close();
  });

  test('the folder of the archive and its files are for their owner only', async () => {
    const folder = join(root, 'home', 'archive');
    const packed = createPackFolder(folder);
    await packed.check();
    const archive = createArchive({ packs: packed, db: database.db });
    await archive.put([payload(Buffer.from('one'))], 1);
    await archive.close();
    const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
    const [day = '', pack = ''] = packsBelow(folder)[0]!.split('/');
    expect([modeOf(''), modeOf(day), modeOf(join(day, pack))]).toEqual(['700', '700', '600']);
  });

  test('a payload that unpacks to more than any response is an error instead of filling the memory', async () => {
    const archive = open();
    const body = Buffer.alloc(65 * 1024 * 1024);
    await archive.put([payload(body)], 1);
    await expect(archive.get(shaOf(body))).rejects.toThrow('it is damaged');
    await archive.close();
  });

  const packs = () => packsBelow(root);
  const packsBelow = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.pack.gz'))
      .sort();
});
