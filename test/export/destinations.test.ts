import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    asRole: false,
    accessKeyId: { reveal: () => accessKeyId },
    secretAccessKey: { reveal: () => secretAccessKey },
    sessionToken: null,
    addressing: 'path' as const,
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

  it('a text is created once, also if many try at the same time', async () => {
    const place = open();
    const path = 'prices/_delta_log/00000000000000000000.json';
    expect(await place.readText(path, signal)).toBeNull();
    const texts = ['one', 'two', 'three', 'four', 'five'];
    const created = await Promise.all(texts.map((text) => place.writeNew(path, text, signal)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await place.readText(path, signal)).toBe(texts[created.indexOf(true)]);
    expect(await place.list('prices/_delta_log', signal)).toEqual([path]);
  });

  it('a file is copied to a local path, and an unknown file is not', async () => {
    const place = open();
    await place.put('a.parquet', await localFile('a whole file'), signal);
    expect(await place.download('a.parquet', join(root, 'copy'), signal)).toBe(true);
    expect(readFileSync(join(root, 'copy'), 'utf8')).toBe('a whole file');
    expect(await place.download('b.parquet', join(root, 'copy'), signal)).toBe(false);
  });
});
