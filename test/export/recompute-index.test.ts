import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { csvRecord } from '../../src/base/csv.ts';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';
import { python } from './clients.ts';
import { certify, exporterTo, useFolders } from './lake.ts';
import { nameByPath } from './plain-book.ts';

const script = fileURLToPath(new URL('../../integrations/index/recompute.py', import.meta.url));
const hasPackages = spawnSync(python, ['-c', 'import deltalake, duckdb, numpy']).status === 0;

/** A pack that shrinks, and two products that others replace, one of them with the same base product number. */
const packs = [
  { product: 3, on: '2026-02-20', grams: [500, 400] },
  { product: 40, former: 39, on: '2026-03-01', grams: [250, 200] },
  { product: 42, former: 41, isGuess: true, on: '2026-03-05', grams: [400, 300] },
] as const;

describe.runIf(hasPackages)('integrations/index (needs Python with deltalake, duckdb and numpy)', () => {
  const database = useDatabase();
  const folders = useFolders();
  const [index, changes] = ['price_index.csv', 'pack_change.csv'].map((name) => join(folders.lake, '..', name));

  beforeAll(async () => {
    const { db } = database;
    await fillRandomBook(db, { seed: 10, first: '2026-02-16', runs: 45, products: 50, packs, isAsExported: true });
    await nameByPath(db);
    await certify(db);
    await deriveNights(db, 'uk');
    await exporterTo(db, folders).exportOwed(new AbortController().signal);
    await writeCsv(db, 'marts.price_index', index!);
    await writeCsv(db, 'marts.fct_pack_change', changes!);
  });

  it('every value recomputed from the lake alone equals the published one', () => {
    const { stdout, stderr } = spawnSync(python, [script, folders.lake, index!, changes!], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const lines = [...stdout.matchAll(/^uk (\w+): (\d+) values, (\d+) of another series, .* ([\de.-]+)$/gm)];
    expect(lines.map(([, period]) => period)).toEqual(['day', 'month', 'week']);
    for (const [line, , values, other, largest] of lines)
      expect([Number(values) > 100, other, Number(largest) < 1e-9], line).toEqual([true, '0', true]);
  });
});

async function writeCsv(db: Database, view: string, path: string): Promise<void> {
  const rows = await rowsOf<Record<string, unknown>>(db, `select * from ${view}`);
  const names = Object.keys(rows[0]!);
  writeFileSync(path, [names, ...rows.map((row) => names.map((name) => row[name]))].map(csvRecord).join(''));
}
