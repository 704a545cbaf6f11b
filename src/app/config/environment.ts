import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { listings } from '../../source/listings/index.ts';
import { Secret, secretFromFile } from './secret.ts';

/** What a person reads of a variable, also in `.env.example`. */
export interface Variable {
  readonly name: string;
  readonly description: string;
  /** Default value, or its description. */
  readonly default: string;
  /** The value is never printed and may be read from the file in `<NAME>_FILE`. */
  readonly secret: boolean;
}

/** Reads variables and collects mistakes instead of throwing. */
export type Environment = ReturnType<typeof createEnvironment>;

export function createEnvironment(given: {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  variables: readonly Variable[];
}) {
  const { env, cwd, variables } = given;
  const mistakes: string[] = [];
  const dotenv = readDotenv(cwd, mistakes);
  const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));

  for (const name of new Set([...Object.keys(env), ...Object.keys(dotenv)]))
    if (isOfListing(name) && !known.includes(name))
      mistakes.push(`${name} is not known; \`pricebook config\` lists all`);

  /** Value as written. Empty variables count as not set, because compose files pass them on. */
  const text = (name: string) => env[name]?.trim() || dotenv[name]?.trim() || null;

  function check<Value>(name: string, Type: z.ZodType<Value, string>, value: string): Value | null {
    const result = Type.safeParse(value);
    const isQuoted = /^(["'`]).*\1$/s.test(value);
    if (result.success && !isQuoted) return result.data;
    const quotes = 'is in quotes, which become part of it (`docker run --env-file` keeps them); write it without';
    mistakes.push(`${name} ${isQuoted ? quotes : (result.error?.issues[0]?.message ?? 'is invalid')}`);
    return null;
  }

  return {
    /** One line per mistake: the variable and the problem. */
    mistakes,
    text,

    /** Parsed value; null if missing or invalid. */
    read<Value>(name: string, Type: z.ZodType<Value, string>): Value | null {
      const value = text(name);
      return value === null ? null : check(name, Type, value);
    },

    /** Secret from the variable or from the file in `<name>_FILE`; null if missing or invalid. */
    readSecret(name: string, Type: z.ZodType<string, string>): Secret | null {
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

    /** Each variable with its value as written (`[secret]`; null if not set) and where it is set. */
    settings: () =>
      variables.map(({ name, secret, default: fallback }) => {
        const setting = { name, default: fallback };
        const value = text(name);
        if (value !== null) {
          const origin = env[name]?.trim() ? 'environment' : '.env';
          return { ...setting, value: secret ? '[secret]' : value, origin };
        }
        if (secret && text(`${name}_FILE`) !== null) return { ...setting, value: '[secret]', origin: 'file' };
        return { ...setting, value: null, origin: 'default' };
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

/** Variables of `.env` in `cwd`; empty without the file. Problems are added to `mistakes` without values. */
function readDotenv(cwd: string, mistakes: string[]): Readonly<Record<string, string | undefined>> {
  const path = resolve(cwd, '.env');
  if (!existsSync(path)) return {};
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    for (const line of linesWithoutVariable(text)) {
      mistakes.push(`line ${line} of .env sets no variable: write NAME=value, or # before a comment`);
    }
    // Node 20's parser treats such lines, whitespace-only lines and indented comments as the start of the next name.
    const variables = text.match(assignment)?.map((variable) => variable.trim()) ?? [];
    return parseEnv(variables.join('\n')) as Record<string, string>;
  } catch (error) {
    mistakes.push(`.env cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return {};
  }
}

/** A variable with its value; quoted values may span lines. */
const assignment = /^[^#\n=]+=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`|).*$/gm;

/** Line numbers, starting at 1, of lines that are neither empty, comments nor assignments. */
function linesWithoutVariable(text: string): number[] {
  const rest = text.replace(assignment, (variable) => variable.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (line.trim() === '' || line.trim().startsWith('#') ? [] : [i + 1]));
}
