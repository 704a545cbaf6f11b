import { PricebookError, ServerUnable, ServerUnreachable } from '../base/errors.ts';

/** SQLSTATEs after which the same transaction may simply run again: serialization, deadlock, lock timeout. */
const transient = new Set(['40001', '40P01', '55P03']);

/** SQLSTATEs and system codes that say that the server, not the statement, is the trouble. */
const unreachable = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up or recovering
  '57P05', // idle_session_timeout
  '53300', // too_many_connections
  '28000', // invalid_authorization_specification
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name: no such database
  '25P03', // idle_in_transaction_session_timeout
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);

/** Of those, the ones that waiting does not fix. */
const permanent = new Set(['28000', '28P01', '3D000', 'ENOTFOUND']);

/** A certificate that is not trusted, or of another name, and TLS that fails otherwise: Node's codes. */
const untrusted = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/;

/** Of those, the ones that end a statement and all it did. */
const undone = new Set(['57P01', '57P03', '57P05', '53300', '25P03', 'ECONNREFUSED']);

/** SQLSTATEs of a server that runs and cannot do its work now, and what a person can do. */
const unable: readonly (readonly [RegExp, string])[] = [
  [/^53100$/, 'Make room on its disk'],
  [/^53200$/, 'Give it more memory'],
  [/^53300$/, 'Raise its max_connections, or close what else is connected to it'],
  [/^53/, 'Raise the limit it names'],
  [/^25006$/, 'Let it write again, or name its primary server in DATABASE_URL'],
  [/^57014$/, 'Raise the statement_timeout of its role, unless somebody cancelled the statement'],
];
const adviceOn = (error: unknown) => unable.find(([sqlState]) => sqlState.test(codeOf(error)))?.[1] ?? null;

/** What pg says without any code. */
const words =
  /connection terminated|encountered a connection error|client was closed|timeout (expired|exceeded)|not support SSL/i;

/** Whether running the whole transaction again may succeed. */
export function isTransient(error: unknown): boolean {
  return transient.has(codeOf(error));
}

/** Whether the connection or the server failed, not the statement. */
export function isConnectionError(error: unknown): boolean {
  // What is told already names its own trouble, whatever caused it: a folder that cannot be made is no server that is
  // away.
  if (error instanceof PricebookError) return error instanceof ServerUnreachable;
  const code = codeOf(error);
  // A file that is missing is a fault of the program; a socket file that is missing, a server that is away.
  if (code === 'ENOENT') return (rootOf(error) as NodeJS.ErrnoException).syscall === 'connect';
  return (
    unreachable.has(code) || untrusted.test(code) || code.startsWith('08') || (code === '' && words.test(textOf(error)))
  );
}

/** Whether waiting for the server is of any use. */
export function isWorthWaiting(error: unknown): boolean {
  return isConnectionError(error) && !permanent.has(codeOf(error)) && !untrusted.test(codeOf(error));
}

/** Whether the statement certainly changed nothing: it was not sent, or the server ended it. */
export function wasSurelyUndone(error: unknown): boolean {
  return undone.has(codeOf(error)) || /not queryable|Client was closed/i.test(textOf(error));
}

/** Whether the server, or the way to it, is to blame: what was asked of it may succeed later. */
export function isServerTrouble(error: unknown): boolean {
  return isConnectionError(error) || error instanceof ServerUnable || adviceOn(error) !== null;
}

/** What the server is to blame for as `ServerUnreachable` or `ServerUnable`, anything else as it is. */
export function asServerError(error: unknown): unknown {
  if (error instanceof PricebookError) return error;
  const advice = adviceOn(error);
  if (advice !== null) return new ServerUnable('PostgreSQL', textOf(error), advice, rootOf(error));
  if (!isConnectionError(error)) return error;
  return new ServerUnreachable('PostgreSQL', 'DATABASE_URL', { cause: rootOf(error) });
}

/** SQLSTATE or system code; empty when there is none. */
export function codeOf(error: unknown): string {
  const { code } = (rootOf(error) ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** What the driver threw: drizzle wraps it as its cause, so does `ServerUnreachable`. */
export function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;
}

function textOf(error: unknown): string {
  const root = rootOf(error);
  return root instanceof Error ? root.message : '';
}
