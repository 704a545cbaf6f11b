import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { type Destination, digestOfFile } from '../../src/followers/export/destination.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), 'pricebook-destinations-'));
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const kinds: readonly (readonly [string, () => Destination])[] = [
  ['a folder', () => createFolder(join(root, 'lake'))],
  ['a bucket', () => createBucket('s3://prices', accessTo(server))],
  ['a place in a bucket', () => createBucket('s3://prices/some/lake/', accessTo(server))],
];

function accessTo({ url, region, accessKeyId, secretAccessKey }: S3Server) {
  return {
    endpoint: { url, local: true },
    region,
    accessKeyId: { reveal: () => accessKeyId },
    secretAccessKey: { reveal: () => secretAccessKey },
  };
}

describe.each(kinds)('%s', (_, open) => {
  const folder = 'prices/region=uk/snapshot_date=2026-03-01';
  const localFile = async (text: string) => {
    const localPath = join(root, 'file');
    writeFileSync(localPath, text);
    return { localPath, ...(await digestOfFile(localPath)) };
  };

  it('a file is kept as it was given, and an unknown file does not exist', async () => {
    const place = open();
    const file = await localFile('one & two');
    expect(await place.digest(`${folder}/a.parquet`, signal)).toBeNull();
    await place.put(`${folder}/a.parquet`, file, signal);
    await place.put(`${folder}/a.parquet`, file, signal);
    expect(await place.digest(`${folder}/a.parquet`, signal)).toEqual({ bytes: file.bytes, sha256: file.sha256 });
  });

  it('the files of a folder, and of no other, are listed and removed', async () => {
    const place = open();
    const names = ['a.parquet', 'b.parquet', 'c&d.parquet', 'e.parquet', 'f.parquet'];
    for (const name of names) await place.put(`${folder}/${name}`, await localFile(name), signal);
    await place.put(`${folder}1/g.parquet`, await localFile('other'), signal);
    expect((await place.list(folder, signal)).sort()).toEqual(names.map((name) => `${folder}/${name}`));
    for (const path of await place.list(folder, signal)) await place.remove(path, signal);
    await place.remove(`${folder}/a.parquet`, signal);
    expect(await place.list(folder, signal)).toEqual([]);
    expect(await place.list(`${folder}1`, signal)).toEqual([`${folder}1/g.parquet`]);
  });

  it('a text is replaced only if it is still what was read', async () => {
    const place = open();
    expect(await place.readText('_manifest.json', signal)).toBeNull();
    expect(await place.writeText('_manifest.json', 'first', null, signal)).toBe(true);
    expect(await place.writeText('_manifest.json', 'too late', null, signal)).toBe(false);
    const first = await place.readText('_manifest.json', signal);
    expect(first?.text).toBe('first');
    expect(await place.writeText('_manifest.json', 'second', first!.version, signal)).toBe(true);
    expect(await place.writeText('_manifest.json', 'too late', first!.version, signal)).toBe(false);
    expect((await place.readText('_manifest.json', signal))?.text).toBe('second');
  });
});
