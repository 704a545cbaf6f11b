import { readFileSync } from 'node:fs';
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
 * Secret in a file that is read again at each use, so that keys can be rotated without a restart. While the file is
 * missing, empty or refused by `isUsable`, the last valid value is used. Throws if the first read fails.
 */
export function secretFromFile(path: string, isUsable: (value: string) => boolean): Secret {
  const read = () => readFileSync(path, 'utf8').trim();
  let value = read();
  return new Secret(() => {
    try {
      const fresh = read();
      if (isUsable(fresh)) value = fresh;
    } catch {
      // The last valid value stays in use.
    }
    return value;
  });
}
