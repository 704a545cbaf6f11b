import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillCertifiedNights } from '../export/lake.ts';
import { brokenPromises, filesIn, nightsIn } from '../export/read-lake.ts';
import { renewContentHashes } from '../support/content-hashes.ts';
import { useDatabase } from '../support/database.ts';
import { startS3Server } from '../support/s3-server.ts';
import { useHousehold } from './pricebook.ts';

describe('pricebook export', () => {
  const database = useDatabase();
  const household = useHousehold();
  const lake = join(household.home, 'lake');
  const run = (...args: string[]) => household.run(['export', ...args], { DATABASE_URL: database.url });
  const from = (date: string, to = date) => ['--region', 'uk', '--from', date, '--to', to, '--out', lake];

  beforeAll(() => fillCertifiedNights(database.db));

  it('export writes the certified nights of a range, commits them and lists their contents', async () => {
    const ended = await run(...from('2026-03-01', '2026-03-02'));
    expect(ended).toMatchObject({ code: 0, stderr: `2 nights exported to ${lake}\n` });
    const contents = '4 products, 1 promotions, 0 price changes, 4 product versions, 4 price spells, 4 prices';
    expect(ended.stdout.split('; ')[0]).toBe(`uk 2026-03-01 (complete): ${contents}`);
    expect(ended.stdout).toMatch(/; [\d,]+ bytes\nuk 2026-03-02 /);
    expect(nightsIn(lake)).toHaveLength(2);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('export leaves partial nights out with exit code 3, and exports them as partial on request', async () => {
    const left = await run(...from('2026-03-03'), '--json');
    expect(left.code).toBe(3);
    expect(left.stderr).toContain('uk 2026-03-03 has a partial certificate and is left out');
    expect(JSON.parse(left.stdout)).toMatchObject({ version: 1, nights: [], left_out: ['2026-03-03'] });

    const taken = await run(...from('2026-03-03'), '--include-partial', '--json');
    expect(taken.code).toBe(0);
    expect(JSON.parse(taken.stdout).nights).toEqual([
      expect.objectContaining({ snapshot_date: '2026-03-03', certificate: 'partial' }),
    ]);
    expect(nightsIn(lake).filter(({ certificate }) => certificate === 'partial')).toEqual([
      expect.objectContaining({ snapshot_date: '2026-03-03' }),
    ]);
  });

  it('exported CSV opens in a spreadsheet without executing formulas', async () => {
    await database.db.query(`update catalog.product set title = '=HYPERLINK("http://x")' where product_key = 5`);
    await renewContentHashes(database.db);
    expect((await run(...from('2026-03-06'), '--format', 'csv')).code).toBe(0);
    const text = csvOf(lake, 'products', '2026-03-06');
    // Readers of a folder take every file below it for one of theirs.
    const besideParquet = Object.keys(filesIn(join(lake, 'prices'))).filter((path) => path.endsWith('.csv'));
    expect(besideParquet).toEqual([]);
    expect(text.split('\n')[0]).toBe(
      'product_id,product_key,tpnb,gtin,title,brand,image_url,categories,first_seen_at,description,ingredients,' +
        'allergens,pack_size,pack_measure,pack_count,storage,product_type,status',
    );
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
    await database.db.query(`update catalog.product set title = 'Green Tea 20s' where product_key = 5`);
    await renewContentHashes(database.db);
    expect(csvOf(lake, 'price_changes', '2026-03-06')).toBe(
      'product_id,product_key,changed_at,old_price,new_price,currency,change_pct\n',
    );
  });

  it('export refuses a range without nights and a reversed range', async () => {
    expect(await run(...from('2025-01-01', '2025-01-31'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no night of uk from 2025-01-01 to 2025-01-31'),
    });
    expect((await run(...from('2026-03-02', '2026-03-01'))).code).toBe(2);
  });

  it('export changes nothing in a foreign folder or one that cannot be created', async () => {
    const other = join(household.home, 'other');
    const log = join(other, 'prices', '_delta_log');
    const commit = join(log, '00000000000000000000.json');
    mkdirSync(log, { recursive: true });
    const table = { id: 'x', format: { provider: 'parquet', options: {} }, schemaString: '', partitionColumns: [] };
    const tableOf = (configuration: object) => JSON.stringify({ metaData: { ...table, configuration } });
    for (const [text, said] of [
      [tableOf({ 'pricebook.book': 'live grocery' }), 'contains nights of another database (live grocery)'],
      [tableOf({}), 'contains nights of another database (tables of another program)'],
      ['{"protocol":{"minReaderVersion":3,"minWriterVersion":7}}', 'is not a commit that this program understands'],
      ['no json', 'is not a commit that this program understands'],
    ] as const) {
      writeFileSync(commit, text);
      const before = filesIn(other);
      const ended = await run('--region', 'uk', '--from', '2026-03-01', '--to', '2026-03-01', '--out', other);
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
      expect(filesIn(other)).toEqual(before);
    }
    const file = commit;
    const ended = await run('--region', 'uk', '--from', '2026-03-01', '--to', '2026-03-01', '--out', file);
    expect(ended).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(`${file} cannot be used`),
    });
  });

  it('export writes to a bucket without printing its secret', async () => {
    const server = await startS3Server();
    const args = [
      'export',
      '--region',
      'uk',
      '--from',
      '2026-03-01',
      '--to',
      '2026-03-01',
      '--out',
      's3://prices/lake',
    ];
    const env = {
      DATABASE_URL: database.url,
      EXPORT_ENDPOINT: server.url,
      EXPORT_REGION: server.region,
      EXPORT_ACCESS_KEY_ID: server.accessKeyId,
    };
    const secret = { EXPORT_SECRET_ACCESS_KEY: server.secretAccessKey };
    try {
      // The shared test setup searches this output for the secret.
      expect(await household.run(args, { ...env, ...secret })).toMatchObject({
        code: 0,
        stderr: '1 night exported to s3://prices/lake\n',
      });
      expect(server.objects.has('lake/prices/_delta_log/00000000000000000000.json')).toBe(true);
      expect(await household.run(args, { ...env, ...secret, EXPORT_ACCESS_KEY_ID: 'other' })).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('s3://prices/lake cannot be used: the server answers 403'),
      });
      expect(await household.run(args, env)).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('EXPORT_ACCESS_KEY_ID and EXPORT_SECRET_ACCESS_KEY are not both set'),
      });
    } finally {
      await server.close();
    }
    for (const out of ['s3://', 'https://example.com/lake', 's3://Prices/lake']) {
      const ended = await household.run([...args.slice(0, -1), out], { ...env, ...secret });
      expect(ended).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('not a URL such as s3://bucket/prefix'),
      });
    }
  });
});

function csvOf(lake: string, dataset: string, date: string): string {
  return readFileSync(join(lake, `csv/${dataset}/region=uk/snapshot_date=${date}/${dataset}.csv`), 'utf8');
}
