import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { readText } from '../house/source-files.ts';
import { useDatabase } from '../support/database.ts';
import { python } from '../support/python.ts';
import { exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { nightsIn } from './read-lake.ts';

const { signal } = new AbortController();
const program = fileURLToPath(new URL('read-tables.py', import.meta.url));
const isThere =
  spawnSync(python, ['-c', 'import deltalake, polars, pyarrow, pandas'], { stdio: 'ignore' }).status === 0;

type Row = Readonly<Record<string, string | null>>;

describe.runIf(isThere)(
  'tables that delta-rs and polars read (needs python3 with deltalake, polars, pyarrow and pandas)',
  () => {
    const database = useDatabase();
    const { lake, home } = useFolders();
    const exporter = () => exporterTo(database.db, { lake, home });

    beforeAll(async () => {
      await fillCertifiedNights(database.db);
      await exporter().exportOwed(signal);
    });

    const read = (): Record<string, Record<string, Row[]>> =>
      JSON.parse(execFileSync(python, [program, 'rows', lake], { encoding: 'utf8', maxBuffer: 1 << 28 }));
    const inMarts = async (): Promise<Row[]> => {
      const { rows } = await database.db.query(
        `select region, snapshot_date::text, product_id, product_key::text, price::text, currency,
         unit_price::numeric(38, 15)::text as unit_price, unit_of_measure, loyalty_price::text, availability,
         initcap(on_promotion::text) as on_promotion
       from marts.fct_price_daily`,
      );
      return sorted(rows);
    };
    const sorted = (rows: readonly Row[]): Row[] =>
      rows.map((row) => Object.fromEntries(Object.entries(row).sort())).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const keyOf = ({ region, snapshot_date: date, product_id: product }: Row) => `${region} ${date} ${product}`;

    test('every client reads the rows of fct_price_daily with exact values', async () => {
      const expected = await inMarts();
      const { prices } = read();
      expect(Object.keys(prices!)).toEqual(['with_delta_rs', 'with_polars']);
      for (const rows of Object.values(prices!)) expect(sorted(rows)).toEqual(expected);
    });

    test('every client reads the same rows of every other table', () => {
      for (const [table, { with_delta_rs: one, with_polars: other }] of Object.entries(read())) {
        expect(one!.length, table).toBeGreaterThan(0);
        const texts = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
        expect(texts(other!), table).toEqual(texts(one!));
      }
    });

    test('the programs of docs/analyse/lake.md run', () => {
      const programs = [...readText('docs/analyse/lake.md').matchAll(/```python\n([\s\S]*?)```/g)];
      const printed = programs.map((match) =>
        execFileSync(python, ['-c', match[1]!.replaceAll('"lake/', `"${lake}/`)], { encoding: 'utf8' }),
      );
      expect(printed[0]).toMatch(/^\d\.\d+\n$/);
      expect(printed[1]).toContain('2026-03-01');
      expect(printed).toHaveLength(2);
    });

    test('clients that read while nights are replaced never miss a file and never see a night twice', async () => {
      const reader = spawn(python, [program, 'watch', lake], { stdio: ['pipe', 'pipe', 'inherit'] });
      let printed = '';
      reader.stdout.on('data', (text) => {
        printed += text;
      });
      await once(reader.stdout, 'data');
      // The date was crawled twice; in turn, one run or the other is certified.
      for (let times = 0; times < 30; times++) {
        await database.db.query(
          `update ops.run set verdict = case when verdict = 'partial' then 'complete'::ops.verdict else 'partial' end
         where run_id = 6`,
        );
        await exporter().exportOwed(signal);
      }
      reader.stdin.end();
      await once(reader, 'close');
      const seen: [string, string, number][] = JSON.parse(printed.split('\n')[1]!);
      expect(seen.filter(([, what]) => !what.startsWith('['))).toEqual([]);
      for (const client of ['with_delta_rs', 'with_polars']) {
        const whole = seen.filter(([name]) => name === client);
        // Complete before and after, whichever run of the date there is.
        expect(whole.length, client).toBeLessThanOrEqual(2);
        expect(whole.reduce((sum, [, , times]) => sum + times, 0)).toBeGreaterThan(10);
      }
    });

    test('a checkpoint replaces the commits before it, for clients and for exports', async () => {
      const before = read();
      const log = join(lake, 'prices', '_delta_log');
      const leftByKill = '.00000000000000000001.json.0123456789ab.tmp';
      writeFileSync(join(log, leftByKill), '{');
      for (let times = 0; times < 8; times++) {
        await database.db.query('update ops.run set epoch = epoch + 1 where run_id in (1, 2)');
        await exporter().exportOwed(signal);
      }
      expect(readdirSync(log)).not.toContain(leftByKill);
      const [checkpoint] = readdirSync(log).filter((name) => name.endsWith('.checkpoint.parquet'));
      expect(checkpoint).toBeDefined();
      const nights = nightsIn(lake);
      for (const name of readdirSync(log)) if (/^\d+\.json$/.test(name) && name < checkpoint!) rmSync(join(log, name));
      expect(sorted(read()['prices']!['with_delta_rs']!)).toEqual(sorted(before['prices']!['with_delta_rs']!));
      expect(sorted(read()['prices']!['with_polars']!)).toEqual(sorted(before['prices']!['with_polars']!));

      const commits = readdirSync(log);
      await exporter().exportOwed(signal);
      expect(readdirSync(log)).toEqual(commits);
      expect(nights).toHaveLength(6);
    });
  },
);
