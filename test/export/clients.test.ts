import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBucket } from '../../src/followers/export/bucket.ts';
import type { Exporter } from '../../src/followers/export/exporter.ts';
import { readText } from '../house/source-files.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { startVersitygw, type Versitygw } from '../support/versitygw.ts';
import { type Client, names, type Row, startClient, tools } from './clients.ts';
import { accessTo, exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { differences } from './lake-questions.ts';

const hasBucket = tools !== undefined && readdirSync(tools).includes('versitygw');
const places = ['folder', ...(hasBucket ? ['bucket'] : [])] as const;
const each = names.flatMap((name) => places.map((place) => [name, place] as const));

const { signal } = new AbortController();
const tables = ['prices', 'products', 'promotions', 'price_changes'];
const passed = new Map<string, string[]>();

describe.runIf(tools)('clients that read a lake (needs .ci/clients)', () => {
  const database = useDatabase();
  const folders = useFolders();
  const root = useFolder('clients');
  const clients = new Map<string, Client>();
  let bucket: Versitygw | null = null;

  const exporters = (): Exporter[] => [exporterTo(database.db, folders), ...(bucket ? [exporterToBucket(bucket)] : [])];
  const exporterToBucket = ({ url, env }: Versitygw): Exporter =>
    exporterTo(database.db, folders, {
      destination: createBucket(
        's3://prices/lake',
        accessTo({
          url,
          region: env['AWS_REGION']!,
          accessKeyId: env['AWS_ACCESS_KEY_ID']!,
          secretAccessKey: env['AWS_SECRET_ACCESS_KEY']!,
        }),
      ),
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

  describe('after a checkpoint', () => {
    const log = join(folders.lake, 'prices', '_delta_log');
    const checkpointIn = () => readdirSync(log).find((file) => file.endsWith('.checkpoint.parquet'));
    let before: Row[];

    beforeAll(async () => {
      before = await clients.get('pandas')!.rows(pathOf('folder', 'prices'));
      while (!checkpointIn()) {
        await database.db.query('update ops.run set run_token = run_token + 1 where run_id in (1, 2)');
        await exporters()[0]!.exportOwed(signal);
      }
      const checkpoint = checkpointIn()!;
      for (const file of readdirSync(log)) if (/^\d+\.json$/.test(file) && file < checkpoint) rmSync(join(log, file));
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
