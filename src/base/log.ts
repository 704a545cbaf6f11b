import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { PricebookError } from './errors.ts';

export type Log = Logger;

/**
 * A logger that writes to stderr (stdout is for data): JSON lines, or readable ones when `pretty`. Secrets are cut out
 * wherever they hang.
 */
export function createLog(options: { level: string; pretty?: boolean; to?: DestinationStream }): Log {
  const { level, pretty: readable = process.stderr.isTTY, to } = options;
  const stderr = to ?? (readable ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname' }) : destination(2));
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: [...secretPaths], censor: '[secret]' },
      serializers: { err: (error) => describeError(error), error: (error) => describeError(error) },
    },
    stderr,
  );
}

/** Names under which keys and passwords travel, at the top of a log entry and up to two levels down. */
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
 * What a log may know of an error: libraries hang requests with headers, connection settings and SQL parameters on
 * theirs.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  return {
    type: error.name,
    message: withoutPasswords(error.message),
    // An expected error says all in its message; a bug needs its stack.
    ...(error instanceof PricebookError ? {} : { stack: withoutPasswords(error.stack ?? '') }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(error.cause === undefined || depth > 4 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** `postgres://user:password@host` in a message keeps its host only. */
function withoutPasswords(text: string): string {
  return text.replace(/\b([a-z]+:\/\/)[^\s/@]*@/gi, '$1');
}
