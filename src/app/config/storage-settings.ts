import { resolve } from 'node:path';
import { z } from 'zod';
import { type BucketAccess, bucketUrlPattern } from '../../gateway/bucket.ts';
import { BaseUrlText } from './base-url.ts';
import { HeaderValue } from './configured-listing.ts';
import type { Environment } from './environment.ts';

/** Parses the places of archive and exports, and the access to buckets that both share. */
export function readStorage({ read, readSecret, mistakes }: Environment, cwd: string): Storage {
  const archive = read('ARCHIVE', ArchivePlace, 'file');
  const folder = read('EXPORT_DIR', z.string(), null);
  const bucket = read('EXPORT_URL', BucketUrl, null);
  const ownKey = readSecret('EXPORT_ACCESS_KEY_ID', HeaderValue);
  // A key, its secret and its token belong together.
  const named = ownKey ? 'EXPORT' : 'AWS';
  const credentials = z.enum(['keys', 'role'], { error: 'must be keys or role' });
  const asRole = read('EXPORT_CREDENTIALS', credentials, 'keys') === 'role';
  const bucketAccess: BucketAccess = {
    asRole,
    endpoint: read('EXPORT_ENDPOINT', BaseUrlText, null) ?? read('AWS_ENDPOINT_URL', BaseUrlText, null),
    region: read('EXPORT_REGION', SigningRegion, null) ?? read('AWS_REGION', SigningRegion, 'us-east-1'),
    accessKeyId: ownKey ?? readSecret('AWS_ACCESS_KEY_ID', HeaderValue),
    secretAccessKey: readSecret(`${named}_SECRET_ACCESS_KEY`, HeaderValue),
    sessionToken: readSecret(`${named}_SESSION_TOKEN`, HeaderValue),
    addressing: read('EXPORT_ADDRESSING', z.enum(['path', 'virtual'], { error: 'must be path or virtual' }), 'path'),
  };
  if (folder !== null && bucket !== null) mistakes.push('EXPORT_DIR and EXPORT_URL are both set; keep one');
  if (asRole && bucketAccess.accessKeyId !== null)
    mistakes.push(`EXPORT_CREDENTIALS=role and ${named}_ACCESS_KEY_ID are both set; keep one`);
  const lacksKeys = !asRole && (bucketAccess.accessKeyId === null || bucketAccess.secretAccessKey === null);
  for (const name of [...(bucket === null ? [] : ['EXPORT_URL']), ...(/^(file|off)$/.test(archive) ? [] : ['ARCHIVE'])])
    if (lacksKeys)
      mistakes.push(
        `${name} needs EXPORT_ACCESS_KEY_ID and EXPORT_SECRET_ACCESS_KEY, the same of AWS, or EXPORT_CREDENTIALS=role`,
      );
  return { archive, exportTo: bucket ?? (folder === null ? null : resolve(cwd, folder)), bucketAccess };
}

interface Storage {
  /** `file`, `off`, or the URL of a bucket. */
  readonly archive: string;
  readonly exportTo: string | null;
  readonly bucketAccess: BucketAccess;
}

const ArchivePlace = z
  .string()
  .refine(
    (text) => ['file', 'off'].includes(text) || bucketUrlPattern.test(text),
    'must be file, off or a URL such as s3://bucket/prefix',
  );

const BucketUrl = z.string().regex(bucketUrlPattern, 'must be a URL such as s3://bucket/prefix');

const SigningRegion = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-west-1');
