import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { PricebookError } from './errors.ts';

export type Log = Logger;

/** Logger that writes JSON lines, by default to stderr (stdout is for data). Secrets are redacted. */
export function createLog({ level, to = destination(2) }: { level: string; to?: DestinationStream }): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: [...secretPaths], censor: '[secret]' },
      serializers: { err: (error) => describeError(error), error: (error) => describeError(error) },
    },
    to,
  );
}

/** Names of secret fields, redacted at the top of a log entry and up to two levels below. */
const secretNames = [
  'key',
  'authorization',
  '["x-rapidapi-key"]',
  '["x-gateway-key"]',
  '["X-RapidAPI-Key"]',
  '["X-Gateway-Key"]',
  'cookie',
  'password',
  'connectionString',
  'databaseUrl',
  'redisUrl',
];
const secretPaths = secretNames.flatMap((name) => {
  const below = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${below}`, `*.*${below}`];
});

/**
 * Fields of an error that may be logged. Errors of libraries carry requests with headers, connection settings and SQL
 * parameters.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  return {
    type: error.name,
    message: withoutPasswords(error.message),
    // Expected errors explain themselves; bugs need their stack.
    ...(error instanceof PricebookError ? {} : { stack: withoutPasswords(error.stack ?? '') }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(error.cause === undefined || depth > 4 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Removes credentials from URLs such as `postgres://user:password@host`. */
function withoutPasswords(text: string): string {
  return text.replace(/\b([a-z]+:\/\/)[^\s/@]*@/gi, '$1');
}
