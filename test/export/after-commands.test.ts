import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { rejectingProducts } from '../replay/mistaken.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { brokenPromises, nightsIn } from './read-lake.ts';

const shop = { items: 100, superDepartments: 3, date: '2026-03-01' };

describe('exports at the end of a command', () => {
  const household = useHousehold();
  const book = useReplayedBook(shop, ['uk']);
  const lake = join(household.home, 'lake');
  const run = (...args: string[]) =>
    household.run(args, {
      DATABASE_URL: book.installation.databaseUrl,
      PRICEBOOK_HOME: book.home,
      EXPORT_DIR: lake,
    });
  const exported = () => nightsIn(lake).map(({ snapshot_date, certificate }) => [snapshot_date, certificate]);

  test('a night that a replay repairs is exported before the command ends', async () => {
    await book.crawl('2026-03-01', { endpointsOf: rejectingProducts(({ productId }) => productId.endsWith('7')) });
    expect(await run('replay', '--from', '2026-03-01', '--to', '2026-03-01', '--apply')).toMatchObject({ code: 0 });
    expect(exported()).toEqual([['2026-03-01', 'complete']]);
  });

  test('a night that a release certifies is exported before the command ends', async () => {
    book.simulator.change({ faults: [{ kind: 'vendor500', endpoint: 'category-page', pages: [2] }] });
    const [partial] = await book.crawl('2026-03-02');
    expect(partial!.verdict).toBe('partial');
    const release = ['certify', '--release', String(partial!.runId), '--why', 'the shelf was emptied'];
    const { code, stdout } = await run(...release, '--json');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      released: { run_id: partial!.runId, region: 'uk', snapshot_date: '2026-03-02', from: 'partial' },
    });
    expect(exported()).toEqual([
      ['2026-03-01', 'complete'],
      ['2026-03-02', 'complete_within_tolerance'],
    ]);
    expect(brokenPromises(lake)).toEqual([]);
  });
});

describe('a foreground crawl killed between deriving and exporting its night', () => {
  const installation = useInstallation();
  const household = useHousehold();
  let simulator: Simulator;
  let bucket: S3Server;
  beforeAll(async () => {
    simulator = await createSimulator(shop);
    bucket = await startS3Server();
  });
  afterAll(async () => {
    await bucket.close();
    await simulator.close();
  });

  test('the same command exports the night without a request', async () => {
    const asked = new Promise<void>((resolve) => {
      bucket.fault = () => {
        resolve();
        return 'slow';
      };
    });
    const killed = crawl();
    await asked;
    // The night is derived beside its export.
    await expect.poll(() => rowsOf(installation.db, 'select 1 from derived.night')).toHaveLength(1);
    killed.process.kill('SIGKILL');
    await once(killed.process, 'close');
    expect(await rowsOf(installation.db, 'select certificate from marts.snapshot')).toEqual([
      { certificate: 'complete' },
    ]);
    expect(bucket.objects.size).toBe(0);

    bucket.fault = () => null;
    simulator.resetLog();
    expect(await crawl().ended).toMatchObject({ code: 0, stderr: expect.stringContaining('is certified already') });
    expect(simulator.log().total).toBe(0);
    expect(bucket.objects.get('lake/prices/_delta_log/00000000000000000000.json')!.toString()).toContain(
      '"partitionValues":{"region":"uk","snapshot_date":"2026-03-01"}',
    );
  });

  function crawl() {
    return household.start(['--now', '2026-03-01T02:00:00Z', 'crawl', '--region', 'uk', '--max-details', '0'], {
      DATABASE_URL: installation.databaseUrl,
      ...installation.queue,
      GROCERY_BASE_URL: simulator.url,
      EXPORT_URL: 's3://prices/lake',
      EXPORT_ENDPOINT: bucket.url,
      EXPORT_REGION: bucket.region,
      EXPORT_ACCESS_KEY_ID: bucket.accessKeyId,
      EXPORT_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    });
  }
});
