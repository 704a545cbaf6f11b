import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const shop = { items: 100, superDepartments: 3, date: '2026-03-01' };

describe('a foreground crawl killed between deriving and exporting its night', () => {
  const installation = useInstallation();
  const cliHome = useCliHome();
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
    return cliHome.start(['--now', '2026-03-01T02:00:00Z', 'crawl', '--region', 'uk', '--max-details', '0'], {
      DATABASE_URL: installation.databaseUrl,
      ...installation.queue,
      GROCERY_BASE_URL: simulator.url,
      EXPORT_TO: 's3://prices/lake',
      AWS_ENDPOINT_URL: bucket.url,
      AWS_REGION: bucket.region,
      AWS_ACCESS_KEY_ID: bucket.accessKeyId,
      AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    });
  }
});
