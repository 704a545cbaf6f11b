import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createBucket } from '../../src/followers/export/bucket.ts';
import { useFolder } from '../support/folder.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const { signal } = new AbortController();
const folder = useFolder('roles');
const token = join(folder, 'token');
let s3: S3Server;
/** Gives credentials as AWS does to containers and service accounts. */
let giver: Server;
let givenTo: string[] = [];

beforeAll(async () => {
  writeFileSync(token, 'a-token-of-a-service-account');
  s3 = await startS3Server();
  s3.sessionToken = 'for an hour';
  giver = createServer(async (request, response) => {
    const { method, url = '' } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = url.split('?')[0]!;
    givenTo.push(`${method} ${path}`);
    response.end(answerTo(body));
  }).listen(0, '127.0.0.1');
  await once(giver, 'listening');
});
afterEach(() => {
  givenTo = [];
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await s3.close();
  giver.close();
});

function answerTo(body: string): string {
  const expires = '2100-01-01T00:00:00Z';
  const { accessKeyId, secretAccessKey, sessionToken } = s3;
  if (body.includes('Action=AssumeRoleWithWebIdentity'))
    return `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
      <AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
      <SessionToken>${sessionToken}</SessionToken><Expiration>${expires}</Expiration>
      </Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
  return JSON.stringify({
    ...{ Code: 'Success', Type: 'AWS-HMAC', LastUpdated: '2026-03-01T00:00:00Z' },
    ...{ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration: expires },
  });
}

/** A bucket on a machine that has nothing of AWS except these variables. */
function bucketWith(variables: Readonly<Record<string, string>>) {
  const nowhere = join(folder, 'none');
  vi.stubEnv('AWS_CONFIG_FILE', nowhere);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', nowhere);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { url, region } = s3;
  return createBucket('s3://prices', {
    ...{ endpoint: { url }, region },
    ...{ accessKeyId: null, secretAccessKey: null, sessionToken: null },
  });
}

const at = () => `http://127.0.0.1:${(giver.address() as AddressInfo).port}`;
const places: readonly (readonly [string, () => Record<string, string>, string])[] = [
  ['a container', () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${at()}/role` }), 'GET /role'],
  [
    'a service account',
    () => ({ AWS_WEB_IDENTITY_TOKEN_FILE: token, AWS_ROLE_ARN: 'arn:aws:iam::1:role/x', AWS_ENDPOINT_URL_STS: at() }),
    'POST /',
  ],
];

test.each(places)('the role of %s signs requests, and its credentials are asked for once', async (_, given, first) => {
  const bucket = bucketWith(given());
  expect(await bucket.writeNew('a', 'text', signal)).toBe(true);
  expect(await bucket.readText('a', signal)).toBe('text');
  expect(s3.refused).toEqual([]);
  expect(givenTo[0]).toBe(first);
  expect(new Set(givenTo).size).toBe(givenTo.length);
  await bucket.remove('a', signal);
});

test('a machine without a role is refused with advice', async () => {
  const bucket = bucketWith({ AWS_EC2_METADATA_DISABLED: 'true' });
  await expect(bucket.readText('a', signal)).rejects.toThrow('no role of this machine or container gives credentials');
});
