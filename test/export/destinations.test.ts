import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { type Destination, digestOfFile } from '../../src/followers/export/destination.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import { useFolder } from '../support/folder.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { accessTo } from './lake.ts';

const { signal } = new AbortController();
const root = useFolder('destinations');
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

const kinds: readonly (readonly [string, () => Destination])[] = [
  ['a folder', () => createFolder(join(root, 'lake'))],
  ['a bucket', () => createBucket('s3://prices', accessTo(server))],
  ['a place in a bucket', () => createBucket('s3://prices/some/lake/', accessTo(server))],
];

describe.each(kinds)('%s', (_, open) => {
  const folder = 'prices/region=uk/snapshot_date=2026-03-01';
  const localFile = (text: string) => {
    writeFileSync(join(root, 'file'), text);
    return join(root, 'file');
  };

  it('a file is kept as it was given, and an unknown file does not exist', async () => {
    const place = open();
    const file = localFile('one & two');
    expect(await place.digest(`${folder}/a.parquet`, signal)).toBeNull();
    await place.put(`${folder}/a.parquet`, file, signal);
    await place.put(`${folder}/a.parquet`, file, signal);
    expect(await place.digest(`${folder}/a.parquet`, signal)).toEqual(await digestOfFile(file));
  });

  it('a file is removed, also if there is none', async () => {
    const place = open();
    await place.put(`${folder}/b.parquet`, localFile('b'), signal);
    for (let i = 0; i < 2; i++) await place.remove(`${folder}/b.parquet`, signal);
    expect(await place.digest(`${folder}/b.parquet`, signal)).toBeNull();
  });

  it('a text is created once, also if many try at the same time', async () => {
    const place = open();
    const path = 'prices/_delta_log/00000000000000000000.json';
    expect(await place.readText(path, signal)).toBeNull();
    const texts = ['one', 'two', 'three', 'four', 'five'];
    const created = await Promise.all(texts.map((text) => place.writeNew(path, text, signal)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await place.readText(path, signal)).toBe(texts[created.indexOf(true)]);
  });

  it('a file is copied to a local path, and an unknown file is not', async () => {
    const place = open();
    await place.put('a.parquet', localFile('a whole file'), signal);
    expect(await place.download('a.parquet', join(root, 'copy'), signal)).toBe(true);
    expect(readFileSync(join(root, 'copy'), 'utf8')).toBe('a whole file');
    expect(await place.download('b.parquet', join(root, 'copy'), signal)).toBe(false);
  });
});
