import { hash } from 'node:crypto';
import { readPackTitle } from '../../source/normalise/pack-title.ts';
import { comparableName } from '../../source/normalise/product-name.ts';
import type { CopyValue } from './copy-text.ts';

/** Columns of `readTitle`, in order. */
export const titleColumnNames = 'pack_size, pack_measure, pack_count, plain_name, match_key';

/** What a title says: pack size, name without size, and a hash of the comparable name. Nulls without a title. */
export function readTitle(title: string | null): CopyValue[] {
  if (title === null) return [null, null, null, null, null];
  const { size, name } = readPackTitle(title);
  return [size?.size ?? null, size?.measure ?? null, size?.count ?? null, name, matchKeyOf(title)];
}

function matchKeyOf(title: string): string {
  const digits = hash('sha256', comparableName(title)).slice(0, 16);
  return String(BigInt.asIntN(64, BigInt(`0x${digits}`)));
}
