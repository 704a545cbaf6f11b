import type { Destination } from './destination.ts';
import { createFolder } from './folder.ts';
import { type BucketAccess, bucketAt } from './s3/address.ts';
import { createBucket } from './s3/bucket.ts';

/** A folder by its path, or a bucket by `s3://bucket/prefix`. */
export function openDestination(to: string, access: BucketAccess): Destination {
  return isBucketUrl(to) ? createBucket(bucketAt(to, access)) : createFolder(to);
}

/** Whatever has a scheme is no path: what it names would become a folder of that name. */
export function isBucketUrl(to: string): boolean {
  return /^[a-z0-9]+:\/\//i.test(to);
}
