import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clockFrom } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { createExporter, type Exporter } from '../../src/followers/export/exporter.ts';
import { readText } from '../house/source-files.ts';
import { useDatabase } from '../support/database.ts';
import { startVersitygw, type Versitygw } from '../support/versitygw.ts';
import { type Client, names, type Row, startClient, tools } from './clients.ts';
import { exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { differences } from './lake-questions.ts';

const hasBucket = tools !== undefined && readdirSync(tools).includes('versitygw');
const places = ['folder', ...(hasBucket ? ['bucket'] : [])] as const;
const each = names.flatMap((name) => places.map((place) => [name, place] as const));

const { signal } = new AbortController();
const tables = ['prices', 'products', 'promotions', 'price_changes', 'price_spells', 'product_versions'];
const passed = new Map<string, string[]>();

describe.runIf(tools)('clients that read a lake (needs .ci/clients)', () => {
  const database = useDatabase();
  const folders = useFolders();
  const root = mkdtempSync(join(tmpdir(), 'pricebook-clients-'));
  const clients = new Map<string, Client>();
  let bucket: Versitygw | null = null;

  const exporters = (): Exporter[] => [exporterTo(database.db, folders), ...(bucket ? [exporterToBucket(bucket)] : [])];
  const exporterToBucket = ({ url, env }: Versitygw): Exporter =>
    createExporter({
      db: database.db,
      clock: clockFrom(new Date('2026-03-10T00:00:00Z')),
      log: createLog({ level: 'silent' }),
      destination: createBucket('s3://prices/lake', {
        endpoint: { url, local: true },
        region: env['AWS_REGION']!,
        asRole: false,
        accessKeyId: { reveal: () => env['AWS_ACCESS_KEY_ID']! },
        secretAccessKey: { reveal: () => env['AWS_SECRET_ACCESS_KEY']! },
        sessionToken: null,
        addressing: 'path',
      }),
      home: folders.home,
      keepDays: 7,
    });
  const pathOf = (place: string, table: string, lake = 'lake') =>
    place === 'bucket' ? `s3://prices/${lake}/${table}` : join(folders.lake, '..', lake, table);
  const pass = (name: string, place: string, what: string) => {
    const key = `${name}, ${place}`;
    passed.set(key, [...(passed.get(key) ?? []), what]);
  };

  beforeAll(async () => {
    if (hasBucket) bucket = await startVersitygw(join(tools!, 'versitygw'), join(root, 's3'));
    await fillCertifiedNights(database.db);
    for (const exporter of exporters()) await exporter.exportOwed(signal);
    // ClickHouse reads below its current folder.
    for (const name of names) clients.set(name, startClient(name, join(folders.lake, '..'), bucket?.env ?? {}));
  });
  afterAll(async () => {
    for (const client of clients.values()) client.close();
    await bucket?.close();
    rmSync(root, { recursive: true, force: true });
    console.log([...passed].map(([key, what]) => `${key}: ${what.join(', ')}`).join('\n'));
  });

  test.each(each)('%s reads every row of every table from a %s, with exact types', async (name, place) => {
    const client = clients.get(name)!;
    const prices = await client.rows(pathOf(place, 'prices'));
    const shown = ['region', 'snapshot_date', 'product_id', 'price', 'unit_price', 'loyalty_price', 'availability'];
    const { rows } = await database.db.query<Row>(
      `select region, snapshot_date::text, product_id, price::text, unit_price::text, loyalty_price::text, availability
       from marts.fct_price_daily`,
    );
    const chosen = prices.map((row) => Object.fromEntries(shown.map((column) => [column, row[column]])));
    expect(differences(chosen, rows)).toEqual([]);
    for (const table of tables) {
      const reference = await clients.get('pandas')!.rows(pathOf('folder', table));
      expect(differences(await client.rows(pathOf(place, table)), reference), table).toEqual([]);
    }
    const types = await client.types(pathOf(place, 'prices'));
    expect(types['price']).toMatch(/decimal(128)?\((precision=)?12, ?(scale=)?2\)/i);
    expect(types['unit_price']).toMatch(/decimal(128)?\((precision=)?38, ?(scale=)?15\)/i);
    expect(types['snapshot_date']).toMatch(/date/i);
    expect(types['on_promotion']).toMatch(/bool/i);
    pass(name, place, `${prices.length} rows equal, types exact`);
  });

  test.each(each)('%s reads one night from a %s without the files of others', async (name, place) => {
    const from = place === 'bucket' ? join(bucket!.folder, 'lake') : folders.lake;
    const copy = join(from, '..', 'pruned');
    rmSync(copy, { recursive: true, force: true });
    cpSync(join(from, 'prices'), join(copy, 'prices'), { recursive: true });
    for (const night of ['region=ie', 'region=uk/snapshot_date=2026-03-01', 'region=uk/snapshot_date=2026-03-06'])
      rmSync(join(copy, 'prices', night), { recursive: true });
    const night = ['uk', '2026-03-05'] as const;
    const found = await clients.get(name)!.rows(pathOf(place, 'prices', 'pruned'), night);
    const { rows } = await database.db.query('select from marts.fct_price_daily where snapshot_date = $1', [night[1]]);
    expect(found).toHaveLength(rows.length);
    pass(name, place, 'prunes');
  });

  test.each(each)('%s never sees half a night in a %s while nights are replaced', async (name, place) => {
    const client = clients.get(name)!;
    const exporter = exporters()[places.indexOf(place)]!;
    const seen = new Map<string, number>();
    let isOver = false;
    const reading = (async () => {
      for (let reads = 0; !isOver || reads < 5; reads++) {
        const rows = await client.rows(pathOf(place, 'prices'));
        const keys = rows.map(({ region, snapshot_date: date, product_id: id }) => `${region} ${date} ${id}`);
        const text = keys.sort().join();
        seen.set(text, (seen.get(text) ?? 0) + 1);
      }
    })();
    // The date was crawled twice; in turn, one run or the other is certified.
    for (let times = 0; times < 8; times++) {
      await database.db.query(
        `update ops.run set verdict = case when verdict = 'partial' then 'complete'::ops.verdict else 'partial' end
         where run_id = 6`,
      );
      await exporter.exportOwed(signal);
    }
    isOver = true;
    await reading;
    // Complete before and after.
    expect(seen.size).toBeLessThanOrEqual(2);
    pass(name, place, `${[...seen.values()].reduce((sum, times) => sum + times, 0)} reads during 8 swaps, none torn`);
  });

  describe('after a checkpoint', () => {
    const log = join(folders.lake, 'prices', '_delta_log');
    const leftByKill = '.00000000000000000001.json.0123456789ab.tmp';
    const checkpointIn = () => readdirSync(log).find((file) => file.endsWith('.checkpoint.parquet'));
    let before: Row[];

    beforeAll(async () => {
      before = await clients.get('pandas')!.rows(pathOf('folder', 'prices'));
      writeFileSync(join(log, leftByKill), '{');
      while (!checkpointIn()) {
        await database.db.query('update ops.run set epoch = epoch + 1 where run_id in (1, 2)');
        await exporters()[0]!.exportOwed(signal);
      }
      const checkpoint = checkpointIn()!;
      for (const file of readdirSync(log)) if (/^\d+\.json$/.test(file) && file < checkpoint) rmSync(join(log, file));
    });

    test('an export needs no commit before it, and leftovers of killed exports are gone', async () => {
      const commits = readdirSync(log);
      expect(commits).not.toContain(leftByKill);
      await exporters()[0]!.exportOwed(signal);
      expect(readdirSync(log)).toEqual(commits);
    });

    test.each(names)('%s reads it instead of the commits before it', async (name) => {
      expect(differences(await clients.get(name)!.rows(pathOf('folder', 'prices')), before)).toEqual([]);
      pass(name, 'folder', 'checkpoint');
    });
  });

  test.each(names)('%s runs what docs/analyse/lake.md says', async (name) => {
    const language = name === 'pandas' || name === 'polars' ? 'python' : name.toLowerCase();
    const all = [
      ...readText('docs/analyse/lake.md').matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g')),
    ];
    const examples = all.map(([, text]) => text!).filter((text) => language !== 'python' || text.includes(name));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const statements = language === 'python' ? [example] : example.split(';').filter((text) => text.trim());
      for (const statement of statements) {
        if (statement.includes('s3a://') || statement.includes('https://')) {
          if (!bucket) continue;
        }
        const placed = statement
          .replaceAll(/(["'`/])(?:\/data\/)?lake\//g, `$1${folders.lake}/`)
          .replaceAll('s3a://bucket/prefix', 's3a://prices/lake')
          .replaceAll('https://endpoint/bucket/prefix', `${bucket?.url}/prices/lake`)
          .replaceAll(
            "'key', 'secret'",
            `'${bucket?.env['AWS_ACCESS_KEY_ID']}', '${bucket?.env['AWS_SECRET_ACCESS_KEY']}'`,
          );
        expect((await clients.get(name)!.run(placed)).length, statement).toBeGreaterThan(0);
      }
    }
    pass(name, 'folder', `${examples.length} documented examples`);
  });
});
