import { join } from 'node:path';
import { clockFrom } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { RegionCode } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import { createExporter, type Exporter } from '../../src/followers/export/exporter.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import type { ExportFormat } from '../../src/followers/export/nights.ts';
import { fillFewNights } from '../db/few-nights.ts';
import { renewContentHashes } from '../support/content-hashes.ts';
import { useFolder } from '../support/folder.ts';
import type { S3Server } from '../support/s3-server.ts';

/** A folder for snapshots and a data folder, gone after the tests of the file. */
export function useFolders(): { readonly lake: string; readonly home: string } {
  const root = useFolder('lake');
  return { lake: join(root, 'lake'), home: join(root, 'home') };
}

/** The few nights with certificates and their content hashes. */
export async function fillCertifiedNights(db: Database): Promise<void> {
  await fillFewNights(db);
  await certify(db);
}

export async function certify(db: Database): Promise<void> {
  await db.query(`
    insert into ops.certificate (run_id, verdict, reasons, delist_after, computed_at)
    select run_id, verdict, '[]', 2, observed_at from ops.run where status = 'published'`);
  await renewContentHashes(db);
}

export function exporterTo(
  db: Database,
  { lake, home }: { readonly lake: string; readonly home: string },
  more: Partial<Parameters<typeof createExporter>[0]> = {},
): Exporter {
  return createExporter({
    db,
    clock: clockFrom(new Date('2026-03-10T00:00:00Z')),
    log: createLog({ level: 'silent' }),
    destination: createFolder(lake),
    home,
    keepDays: 7,
    ...more,
  });
}

export const exportNight = (
  exporter: Exporter,
  snapshotDate: string,
  { region = 'uk', format = 'parquet' }: { readonly region?: RegionCode; readonly format?: ExportFormat } = {},
) => exporter.export({ region, snapshotDate }, { format, includePartial: false, signal: new AbortController().signal });

/** Access to a bucket of a test's server. */
export const accessTo = (
  { url, region, accessKeyId, secretAccessKey }: Pick<S3Server, 'url' | 'region' | 'accessKeyId' | 'secretAccessKey'>,
  token: string | null = null,
) => ({
  endpoint: { url },
  region,
  accessKeyId: { reveal: () => accessKeyId },
  secretAccessKey: { reveal: () => secretAccessKey },
  sessionToken: token === null ? null : { reveal: () => token },
});
