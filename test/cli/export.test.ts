import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillCertifiedNights } from '../export/lake.ts';
import { brokenPromises, filesIn, nightsIn } from '../export/read-lake.ts';
import { renewContentHashes } from '../support/content-hashes.ts';
import { useDatabase } from '../support/database.ts';
import { startS3Server } from '../support/s3-server.ts';
import { useCliHome } from './pricebook.ts';

describe('pricebook export', () => {
  const database = useDatabase();
  const cliHome = useCliHome();
  const lake = join(cliHome.home, 'lake');
  const run = (...args: string[]) => cliHome.run(['export', ...args], { DATABASE_URL: database.url });
  const from = (date: string, to = date) => ['--region', 'uk', '--from', date, '--to', to, '--out', lake];

  beforeAll(() => fillCertifiedNights(database.db));

  it('export writes the certified nights of a range, commits them and lists their contents', async () => {
    const ended = await run(...from('2026-03-01', '2026-03-02'));
    expect(ended).toMatchObject({ code: 0, stderr: `2 nights exported to ${lake}\n` });
    const contents = '4 products, 1 promotion, 0 price changes, 4 prices';
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

  it('export writes to a bucket without printing its secret', async () => {
    const server = await startS3Server();
    const toBucket = (more: Record<string, string>, out = 's3://prices/lake') =>
      cliHome.run(['export', ...from('2026-03-01').slice(0, -1), out], { DATABASE_URL: database.url, ...more });
    const env = {
      AWS_ENDPOINT_URL: server.url,
      AWS_REGION: server.region,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    };
    try {
      // The shared test setup searches this output for the secret.
      expect(await toBucket(env)).toMatchObject({ code: 0, stderr: '1 night exported to s3://prices/lake\n' });
      expect(server.objects.has('lake/prices/_delta_log/00000000000000000000.json')).toBe(true);
      expect(await toBucket({ ...env, AWS_ACCESS_KEY_ID: 'other' })).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('s3://prices/lake cannot be used: the server answers 403'),
      });
    } finally {
      await server.close();
    }
    for (const out of ['s3://', 'https://example.com/lake', 's3://Prices/lake'])
      expect(await toBucket(env, out)).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('not a URL such as s3://bucket/prefix'),
      });
  });
});

function csvOf(lake: string, dataset: string, date: string): string {
  return readFileSync(join(lake, `csv/${dataset}/region=uk/snapshot_date=${date}/${dataset}.csv`), 'utf8');
}
