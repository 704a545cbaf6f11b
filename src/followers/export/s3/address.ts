import { DestinationUnusable } from '../../../base/errors.ts';

/** How buckets are reached. */
export interface BucketAccess {
  /** Origin and path of the server, and whether it is on this machine or a private network; null: Amazon S3. */
  readonly endpoint: { readonly url: string; readonly local: boolean } | null;
  /** Requests are signed for it. */
  readonly region: string;
  readonly accessKeyId: Credential | null;
  readonly secretAccessKey: Credential | null;
}

/** Read again for every request: a key in a file may be rotated. */
interface Credential {
  reveal(): string;
}

/** A bucket, and where in it. */
export interface BucketAddress {
  /** `s3://bucket/prefix`, without a slash at the end. */
  readonly name: string;
  /** Of the bucket at its server: its name is part of the path, which every S3-compatible server understands. */
  readonly url: string;
  readonly local: boolean;
  /** `prefix/`, or nothing. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: Credential;
  readonly secretAccessKey: Credential;
}

export const bucketUrlPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.=/-]*))?$/;

/** `s3://bucket/prefix` with how it is reached. Throws `DestinationUnusable`. */
export function bucketAt(to: string, access: BucketAccess): BucketAddress {
  const [, bucket, path = ''] = bucketUrlPattern.exec(to) ?? [];
  if (bucket === undefined) throw new DestinationUnusable(to, 'it is no URL such as s3://bucket/prefix');
  const { endpoint, region, accessKeyId, secretAccessKey } = access;
  if (accessKeyId === null || secretAccessKey === null) {
    throw new DestinationUnusable(to, 'EXPORT_ACCESS_KEY_ID and EXPORT_SECRET_ACCESS_KEY are not both set');
  }
  const prefix = path.split('/').filter(Boolean).join('/');
  return {
    name: `s3://${bucket}${prefix && `/${prefix}`}`,
    url: `${endpoint?.url ?? `https://s3.${region}.amazonaws.com`}/${bucket}`,
    local: endpoint?.local ?? false,
    prefix: prefix && `${prefix}/`,
    region,
    accessKeyId,
    secretAccessKey,
  };
}
