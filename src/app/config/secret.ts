import { readFileSync, statSync } from 'node:fs';
import { inspect } from 'node:util';

const redacted = '[secret]';

/** A value that prints as `[secret]`; only `reveal()` returns it. */
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
 * Secret in a file that is read again when the file changes, so that keys can be rotated without a restart. While the
 * file is missing, empty or refused by `isUsable`, the last valid value is used. Throws if the first read fails.
 */
export function secretFromFile(path: string, isUsable: (value: string) => boolean = (value) => value !== ''): Secret {
  let seen = stampOf(path);
  let value = readFileSync(path, 'utf8').trim();
  return new Secret(() => {
    const stamp = stampOf(path);
    if (stamp === null || stamp === seen) return value;
    const fresh = attempt(() => readFileSync(path, 'utf8').trim());
    if (fresh !== null && isUsable(fresh)) {
      value = fresh;
      // Set only after a valid read: a partially written file may be completed within the same clock tick of the file
      // system.
      seen = stamp;
    }
    return value;
  });
}

/** Includes the inode, because a replaced file may have the same time and size. */
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
