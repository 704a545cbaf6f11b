import { createHash } from 'node:crypto';
import type { Payload } from '../../src/base/model/index.ts';

export const shaOf = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('hex');

/** A received page with a body. */
export function payload(body: Uint8Array, changes: Partial<Payload> = {}): Payload {
  return {
    ...{ listing: 'grocery', endpoint: 'uk-category-page', region: 'uk', host: 'grocery.example', status: 200 },
    ...{ request: '/category-page?categoryId=b%3B&pageNo=1', receivedAt: new Date('2026-03-01T02:00:00Z') },
    ...{ body, sha256: shaOf(body) },
    ...changes,
  };
}
