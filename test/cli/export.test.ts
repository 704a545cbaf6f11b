import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillCertifiedNights } from '../export/lake.ts';
import { brokenPromises, filesIn, manifestIn } from '../export/read-lake.ts';
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

  it('export writes the certified nights of a range, adds them to the manifest and lists their contents', async () => {
    const ended = await run(...from('2026-03-01', '2026-03-02'));
    expect(ended).toMatchObject({ code: 0, stderr: `2 nights exported to ${lake}\n` });
    expect(ended.stdout).toMatch(
      /^uk 2026-03-01 \(complete\): 4 prices, 4 products, 1 promotions, 0 price changes; [\d,]+ bytes\nuk 2026-03-02/,
    );
    expect(manifestIn(lake).nights).toHaveLength(2);
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('export leaves partial nights out with exit code 3, and exports them as partial on request', async () => {
    const left = await run(...from('2026-03-03'), '--json');
    expect(left.code).toBe(3);
    expect(left.stderr).toContain('uk 2026-03-03 has a partial certificate and is left out');
    expect(JSON.parse(left.stdout)).toMatchObject({ version: 1, nights: [], left_out: ['2026-03-03'] });

    const taken = await run(...from('2026-03-03'), '--include-partial', '--json');
    expect(taken.code).toBe(0);
    expect(JSON.parse(taken.stdout).nights).toEqual(
      manifestIn(lake).nights.filter(({ certificate }) => certificate === 'partial'),
    );
  });

  it('exported CSV opens in a spreadsheet without executing formulas', async () => {
    await database.db.query(`update catalog.product set title = '=HYPERLINK("http://x")' where product_key = 5`);
    await renewContentHashes(database.db);
    expect((await run(...from('2026-03-06'), '--format', 'csv')).code).toBe(0);
    const text = csvOf(lake, 'prices', '2026-03-06');
    // Readers of a folder take every file below it for one of theirs.
    const besideParquet = Object.keys(filesIn(join(lake, 'prices'))).filter((path) => path.endsWith('.csv'));
    expect(besideParquet).toEqual([]);
    expect(text.split('\n')[0]).toBe(
      'product_id,product_key,title,price,currency,unit_price,unit_of_measure,loyalty_price,availability,on_promotion',
    );
    expect(text).toContain(`104,5,"'=HYPERLINK(""http://x"")",2.75,GBP,,,2.10,available,true\n`);
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
    mkdirSync(other, { recursive: true });
    for (const [text, said] of [
      ['{"version":1,"book":"live grocery","nights":[]}', 'contains nights of another database (live grocery)'],
      ['{"version":2}', 'that this program does not understand'],
    ] as const) {
      writeFileSync(join(other, '_manifest.json'), text);
      const before = filesIn(other);
      const ended = await run('--region', 'uk', '--from', '2026-03-01', '--to', '2026-03-01', '--out', other);
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
      expect(filesIn(other)).toEqual(before);
    }
    const file = join(other, '_manifest.json');
    const ended = await run('--region', 'uk', '--from', '2026-03-01', '--to', '2026-03-01', '--out', file);
    expect(ended).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(`Snapshots cannot be written to ${file}`),
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
      expect(server.objects.has('lake/_manifest.json')).toBe(true);
      expect(await household.run(args, { ...env, ...secret, EXPORT_ACCESS_KEY_ID: 'other' })).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('Snapshots cannot be written to s3://prices/lake: the server answers 403'),
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
  const night = manifestIn(lake).nights.find((each) => each.snapshot_date === date && each.format === 'csv')!;
  return readFileSync(join(lake, night.files.find((file) => file.dataset === dataset)!.path), 'utf8');
}
