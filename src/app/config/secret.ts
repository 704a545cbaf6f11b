import { statSync } from 'node:fs';
import { inspect } from 'node:util';
import { readBounded } from './read-bounded.ts';

const redacted = '[secret]';

/** A value that prints as `[secret]` however it is printed; only `reveal()` tells it. */
export class Secret {
  readonly #reveal: () => string;

  constructor(value: string | (() => string)) {
    this.#reveal = typeof value === 'string' ? () => value : value;
  }

  reveal(): string {
    return this.#reveal();
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}

/**
 * A secret that lives in a file and is read again when the file changes, so that a key can be rotated without a
 * restart. While the file is missing, empty or holds what `isUsable` refuses, the last good value serves. Throws when
 * it cannot be read at first.
 */
export function secretFromFile(path: string, isUsable: (value: string) => boolean = (value) => value !== ''): Secret {
  let seen = stampOf(path);
  let value = readBounded(path).trim();
  return new Secret(() => {
    const stamp = stampOf(path);
    if (stamp === null || stamp === seen) return value;
    const fresh = attempt(() => readBounded(path).trim());
    if (fresh !== null && isUsable(fresh)) {
      value = fresh;
      // Only now: what was half written may be complete within the same tick of the file system's clock.
      seen = stamp;
    }
    return value;
  });
}

/** A file put in another's place may be as old and as long as that one was; then its inode differs. */
function stampOf(path: string): string | null {
  return attempt(() => {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  });
}

function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}
