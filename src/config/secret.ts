import { readFileSync, statSync } from 'node:fs';
import { inspect } from 'node:util';

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

/** A secret that lives in a file and is read again when the file changes, so that a key can be rotated without a restart. */
export function secretFromFile(path: string): Secret {
  let seen = statSync(path).mtimeMs;
  let value = readSecretFile(path);
  return new Secret(() => {
    // While the file is being replaced, the last good value serves.
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed !== undefined && changed !== seen) {
      const fresh = readSecretFile(path);
      if (fresh !== '') value = fresh;
      seen = changed;
    }
    return value;
  });
}

function readSecretFile(path: string): string {
  return readFileSync(path, 'utf8').trim();
}
