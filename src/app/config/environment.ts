import { resolve } from 'node:path';
import type { z } from 'zod';
import { listings } from '../../source/listings/index.ts';
import { readDotenv } from './dotenv.ts';
import { Secret, secretFromFile } from './secret.ts';
import type { Variable } from './variables.ts';

/** A variable with its value and origin. */
export interface Setting {
  readonly name: string;
  /** As written, `[secret]`, or null if not set. */
  readonly value: string | null;
  readonly origin: 'environment' | '.env' | 'file' | 'default';
}

/** Reads variables and collects mistakes instead of throwing. */
export interface Environment {
  /** One line per mistake: the variable and the problem. */
  readonly mistakes: string[];
  /** Value as written; null if missing or empty. */
  text(name: string): string | null;
  /** Parsed value; `fallback` if missing or invalid. */
  read<Value, const Fallback>(name: string, Type: z.ZodType<Value, string>, fallback: Fallback): Value | Fallback;
  /** Secret from the variable or from the file in `<name>_FILE`; null if missing or invalid. */
  readSecret(name: string, Type: z.ZodType<string, string>): Secret | null;
  settings(): Setting[];
}

export function createEnvironment(given: {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  variables: readonly Variable[];
}): Environment {
  const { env, cwd, variables } = given;
  const mistakes: string[] = [];
  const dotenv = readDotenv(cwd, mistakes);
  const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));

  for (const name of new Set([...Object.keys(env), ...Object.keys(dotenv)]))
    if (isOfListing(name) && !known.includes(name))
      mistakes.push(`${name} is not known; \`pricebook config\` lists all`);

  /** Empty variables count as not set, because compose files pass them on. */
  const text = (name: string) => env[name]?.trim() || dotenv[name]?.trim() || null;

  function check<Value>(name: string, Type: z.ZodType<Value, string>, value: string): Value | null {
    const result = Type.safeParse(value);
    if (result.success) return result.data;
    mistakes.push(`${name} ${result.error.issues[0]?.message ?? 'is invalid'}`);
    return null;
  }

  return {
    mistakes,
    text,

    read(name, Type, fallback) {
      const value = text(name);
      return value === null ? fallback : (check(name, Type, value) ?? fallback);
    },

    readSecret(name, Type) {
      const value = text(name);
      const file = text(`${name}_FILE`);
      if (value !== null && file !== null) {
        mistakes.push(`${name} and ${name}_FILE are both set; keep one`);
        return null;
      }
      if (value !== null) return check(name, Type, value) === null ? null : new Secret(value);
      if (file === null) return null;
      try {
        const secret = secretFromFile(resolve(cwd, file), (fresh) => Type.safeParse(fresh).success);
        return check(`${name}_FILE`, Type, secret.reveal()) === null ? null : secret;
      } catch (error) {
        mistakes.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
        return null;
      }
    },

    settings: () =>
      variables.map(({ name, secret }): Setting => {
        const value = text(name);
        if (value !== null) {
          return { name, value: secret ? '[secret]' : value, origin: env[name]?.trim() ? 'environment' : '.env' };
        }
        if (secret && text(`${name}_FILE`) !== null) return { name, value: '[secret]', origin: 'file' };
        return { name, value: null, origin: 'default' };
      }),
  };
}

const prefixes = Object.values(listings).map((listing) => `${listing.environmentPrefix}_`);

/**
 * Whether a name can only be a variable of a listing: a mistyped one, such as `GROCERY_QUOTA`, would be relied on as a
 * limit. Kubernetes and Docker set `<SERVICE>_SERVICE_HOST`, `<SERVICE>_PORT_80_TCP` … in every container.
 */
function isOfListing(name: string): boolean {
  return prefixes.some((prefix) => name.startsWith(prefix)) && !/_(SERVICE_(HOST|PORT)|PORT)(_|$)/.test(name);
}
