import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config.ts';
import { ConfigInvalid } from '../../src/base/errors.ts';

const cwd = mkdtempSync(join(tmpdir(), 'pricebook-config-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const load = (env: Record<string, string>) => loadConfig(env, { cwd });
const keys = { EXPORT_ACCESS_KEY_ID: 'id', EXPORT_SECRET_ACCESS_KEY: 'hush' };

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.issues;
    throw error;
  }
}

test('nights are exported nowhere by default, or to a folder or a bucket', () => {
  expect(load({}).exportTo).toBeNull();
  expect(load({ EXPORT_DIR: 'lake' }).exportTo).toBe(join(cwd, 'lake'));
  expect(load({ EXPORT_URL: 's3://prices/lake', ...keys }).exportTo).toBe('s3://prices/lake');
});

test("the bucket's secret may be in a file and is never shown", () => {
  writeFileSync(join(cwd, 'secret'), 'hush-from-file\n');
  const { EXPORT_SECRET_ACCESS_KEY: _, ...others } = keys;
  const config = load({ EXPORT_URL: 's3://prices', EXPORT_SECRET_ACCESS_KEY_FILE: 'secret', ...others });
  expect(config.bucketAccess.secretAccessKey?.reveal()).toBe('hush-from-file');
  expect(JSON.stringify(config)).not.toContain('hush');
});

test('the usual variables of AWS count where ours are not set, and a key keeps its own secret and token', () => {
  const aws = {
    AWS_ACCESS_KEY_ID: 'aws',
    AWS_SECRET_ACCESS_KEY: 'aws-secret',
    AWS_SESSION_TOKEN: 'aws-token',
    AWS_REGION: 'eu-west-2',
    AWS_ENDPOINT_URL: 'https://s3.example',
  };
  const { bucketAccess: usual } = load({ EXPORT_URL: 's3://prices', ...aws });
  expect(usual).toMatchObject({ region: 'eu-west-2', endpoint: { url: 'https://s3.example' }, addressing: 'path' });
  const valuesOf = ({ accessKeyId, secretAccessKey, sessionToken }: typeof usual) =>
    [accessKeyId, secretAccessKey, sessionToken].map((secret) => secret?.reveal());
  expect(valuesOf(usual)).toEqual(['aws', 'aws-secret', 'aws-token']);
  expect(valuesOf(load({ EXPORT_URL: 's3://prices', ...aws, ...keys }).bucketAccess)).toEqual([
    'id',
    'hush',
    undefined,
  ]);
});

test('the archive is a folder, a bucket with the same access as exports, or off', () => {
  expect(['file', 'off'].map((archive) => load({ ARCHIVE: archive }).archive)).toEqual(['file', 'off']);
  expect(load({ ARCHIVE: 's3://prices/nights', ...keys }).archive).toBe('s3://prices/nights');
  expect(mistakesOf({ ARCHIVE: 's3://prices/nights' })).toEqual([
    'ARCHIVE needs EXPORT_ACCESS_KEY_ID and EXPORT_SECRET_ACCESS_KEY, the same of AWS, or EXPORT_CREDENTIALS=role',
  ]);
  expect(mistakesOf({ ARCHIVE: 's3://id:hush@prices' })).toEqual([
    'ARCHIVE must be file, off or a URL such as s3://bucket/prefix',
  ]);
});

test('invalid export settings are reported by variable', () => {
  expect(mistakesOf({ EXPORT_DIR: 'lake', EXPORT_URL: 's3://prices', ...keys })).toEqual([
    'EXPORT_DIR and EXPORT_URL are both set; keep one',
  ]);
  expect(mistakesOf({ EXPORT_URL: 's3://prices' })).toEqual([
    'EXPORT_URL needs EXPORT_ACCESS_KEY_ID and EXPORT_SECRET_ACCESS_KEY, the same of AWS, or EXPORT_CREDENTIALS=role',
  ]);
  expect(mistakesOf({ EXPORT_URL: 's3://prices', EXPORT_CREDENTIALS: 'role' })).toEqual([]);
  expect(mistakesOf({ EXPORT_URL: 's3://prices', EXPORT_CREDENTIALS: 'role', AWS_ACCESS_KEY_ID: 'id' })).toEqual([
    'EXPORT_CREDENTIALS=role and AWS_ACCESS_KEY_ID are both set; keep one',
  ]);
  expect(mistakesOf({ EXPORT_URL: 'https://prices.example/lake' })).toEqual([
    'EXPORT_URL must be a URL such as s3://bucket/prefix',
  ]);
  expect(mistakesOf({ EXPORT_ENDPOINT: 'http://s3.example.com' })[0]).toContain(
    'EXPORT_ENDPOINT must begin with https://',
  );
  expect(mistakesOf({ EXPORT_REGION: 'EU West' })).toEqual(['EXPORT_REGION must be a region such as eu-west-1']);
});
