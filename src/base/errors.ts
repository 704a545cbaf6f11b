/**
 * Base class of all expected errors. Messages are for people: what happened, what it means, what to do. They never
 * contain a key. Any other error is a bug and keeps its stack trace.
 */
export abstract class PricebookError extends Error {
  /** Exit code of a command that ends with this error (sysexits: 69 unavailable, 75 try later, 78 configuration). */
  readonly exitCode: number = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An error that only its message and exit code distinguish. */
export class Refused extends PricebookError {
  override readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Network failure, timeout or 5xx. Retried with backoff; counts against the listing's health. */
export class UpstreamUnavailable extends PricebookError {
  override readonly exitCode = 69;
  readonly status: number | null;
  /** No request was sent, because earlier failures caused a pause. The caller's attempts are not charged. */
  readonly isHeldBack: boolean;
  /** How long the upstream says to wait; null: it does not say. */
  readonly retryAfterMs: number | null;
  constructor(
    where: string,
    what: string,
    options: { status?: number | null; cause?: unknown; isHeldBack?: boolean; retryAfterMs?: number | null } = {},
  ) {
    super(`${where} is unavailable: ${asSaid(what)}. Nothing was lost; run the same command again later.`, {
      cause: options.cause,
    });
    this.status = options.status ?? null;
    this.isHeldBack = options.isHeldBack ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Status 429: too many requests. The client waits and retries; no attempt is charged. */
export class RateLimited extends PricebookError {
  override readonly exitCode = 75;
  readonly retryAfterMs: number;
  constructor(where: string, retryAfterMs: number) {
    super(
      `${where}: too many requests; waiting ${Math.ceil(retryAfterMs / 1000)} s. ` +
        "Lower the listing's REQUESTS_PER_SECOND if this continues.",
    );
    this.retryAfterMs = retryAfterMs;
  }
}

/** A quota is used up. Requests pause until the window ends, with an hourly probe; an open run stays open. */
export class BudgetExhausted extends PricebookError {
  override readonly exitCode = 75;
  readonly until: Date | null;
  /** The limit that is used up. */
  readonly what: string;
  /** Whether the gateway reported it for this key: processes with another key may continue. */
  readonly isOfKey: boolean;
  constructor(
    where: string,
    what: string,
    until: Date | null,
    { isOfKey = false, recheckedAt = null }: { isOfKey?: boolean; recheckedAt?: Date | null } = {},
  ) {
    // A probe is sent periodically, in case the plan was upgraded.
    const isEarlier = recheckedAt !== null && (until === null || recheckedAt < until);
    const earlier = !isEarlier ? '' : `, or after ${recheckedAt.toISOString()} if the plan was changed`;
    const when = until ? `after ${until.toISOString()}` : 'when the quota allows';
    super(`${where}: ${asSaid(what)}. Nothing was lost; run the same command again ${when}${earlier}.`);
    this.until = until;
    this.what = what;
    this.isOfKey = isOfKey;
  }
}

/** Status 401 or 403: the key is missing, unknown or not subscribed. Requests stop; a probe follows after minutes. */
export class AccessDenied extends PricebookError {
  override readonly exitCode = 78;
  /** Error text of the gateway. */
  readonly what: string;
  constructor(listing: string, what: string, variable: string) {
    super(
      `The gateway refuses the ${listing} listing: ${asSaid(what)}. Check the key in ${variable} and its subscription.`,
    );
    this.what = what;
  }
}

/** Whether the error concerns only this process's key: processes with another key can continue. */
export function isOfKey(error: unknown): boolean {
  return error instanceof AccessDenied || (error instanceof BudgetExhausted && error.isOfKey);
}

/** Status 401 for a single endpoint. Only that endpoint is abandoned. */
export class EndpointDisabled extends PricebookError {
  constructor(where: string) {
    super(`${where} is not part of the subscription's plan. Upgrade the plan, or continue without this endpoint.`);
  }
}

/** Status 404 of the gateway: path or listing do not exist. It never means "no products". */
export class EndpointMissing extends PricebookError {
  /** Error text of the gateway. */
  readonly what: string;
  constructor(where: string, what: string) {
    super(`${where} does not exist at the gateway (${asSaid(what)}). Check the listing's host and base URL.`);
    this.what = what;
  }
}

/** A redirect. It is not followed, because the key would be sent to another host. */
export class RedirectRefused extends PricebookError {
  constructor(where: string, to: string | null) {
    super(
      `${where} redirects to ${to ?? 'nowhere'}. Redirects are not followed, because they would send the key to ` +
        'another host. If the listing has moved, set its HOST and BASE_URL.',
    );
  }
}

/** Status 400 or another 4xx of the vendor: the request is invalid. Not retried. */
export class QuestionRefused extends PricebookError {
  readonly status: number;
  constructor(where: string, status: number, what: string) {
    super(`${where} refuses the request (HTTP ${status}): ${asSaid(what)}. It is not repeated.`);
    this.status = status;
  }
}

/** Not found upstream. */
export class NotThere extends PricebookError {
  constructor(where: string) {
    super(`${where}: not found upstream.`);
  }
}

/** The request was not sent, because its parameters are invalid for the upstream. */
export class QuestionInvalid extends PricebookError {
  constructor(endpoint: string, what: string) {
    super(`Invalid request to ${endpoint}: ${what}.`);
  }
}

/** A successful response with an unknown envelope. The payload is archived: fix the contract, then replay. */
export class ContractBroken extends PricebookError {
  readonly issues: readonly string[];
  constructor(endpoint: string, issues: readonly string[]) {
    super(
      `${endpoint} responded in an unknown shape: ${issues.slice(0, 3).join('; ')}. ` +
        'The payload is archived; fix the contract and replay.',
    );
    this.issues = issues;
  }
}

/** The first pages of a night cannot be parsed as before. The run is abandoned before it spends more requests. */
export class DriftBreaking extends PricebookError {
  constructor(night: string, what: string) {
    super(
      `The first pages of ${night} cannot be read as before (${asSaid(what)}). ` +
        'The run is given up, and no more requests are sent. `pricebook drift` shows the changes and where fields ' +
        'moved. Fix the parser and crawl again, or crawl all the same with `pricebook crawl --despite-drift`.',
    );
  }
}

/** All first pages of a night were refused or have an unknown shape. The run is abandoned. */
export class FirstPagesUnread extends PricebookError {
  constructor(night: string, what: string) {
    super(
      `None of the first pages of ${night} can be read (${asSaid(what)}). ` +
        'The run is given up, and no more requests are sent. `pricebook drift` shows what has changed; ' +
        '`pricebook crawl --despite-drift` crawls all the same.',
    );
  }
}

/** The archive's disk is full. The claim is released and the run waits; nothing is staged without being archived. */
export class ArchiveFull extends PricebookError {
  override readonly exitCode = 75;
  constructor(folder: string, cause: Error) {
    super(
      `There is no room left for the archive in ${folder} (${cause.message}). Make room, or lower ARCHIVE_DAYS and ` +
        'run `pricebook prune`. The run then continues by itself, or with the same command.',
      { cause },
    );
  }
}

/** An archived payload is missing or damaged. Data parsed from it cannot be replayed. */
export class PayloadLost extends PricebookError {
  constructor(sha256: string, what: string) {
    super(`Payload ${sha256.slice(0, 12)}… cannot be read: ${what}. Data parsed from it earlier stay unchanged.`);
  }
}

/** Another worker owns the page or the run. This worker changes nothing and continues with other work. */
export class LeaseLost extends PricebookError {
  constructor(what: string) {
    super(`${what} belongs to another worker now; nothing was changed.`);
  }
}

/** The catalogue changed after the run was staged. The run is staged again from the archive. */
export class BaseMoved extends PricebookError {
  constructor(runId: number) {
    super(
      `The catalogue has changed since run ${runId} was staged; nothing was published. ` +
        'The run has to be staged again from the archive.',
    );
  }
}

/** Invalid configuration. Lists all mistakes, without secret values. */
export class ConfigInvalid extends PricebookError {
  override readonly exitCode = 78;
  readonly issues: readonly string[];
  constructor(issues: readonly string[]) {
    super(
      `The configuration has ${issues.length === 1 ? 'a mistake' : `${issues.length} mistakes`}:\n` +
        issues.map((issue) => `  ${issue}`).join('\n'),
    );
    this.issues = issues;
  }
}

/** Invalid command line. */
export class UsageInvalid extends PricebookError {
  override readonly exitCode = 2;
}

/** PostgreSQL or Redis cannot be reached. */
export class ServerUnreachable extends PricebookError {
  override readonly exitCode = 69;
  constructor(server: string, variable: string, options: { cause?: unknown } = {}) {
    const why =
      options.cause instanceof Error
        ? ` (${options.cause.message || (options.cause as NodeJS.ErrnoException).code || options.cause.name})`
        : '';
    super(`${server} is unreachable${why}. Start it, or correct ${variable}.`, options);
  }
}

/**
 * PostgreSQL or Redis is reachable but refuses work: no disk space, memory or connection, or the statement was
 * cancelled.
 */
export class ServerUnable extends PricebookError {
  override readonly exitCode = 75;
  constructor(server: 'PostgreSQL' | 'Redis', what: string, advice: string, options: { cause?: unknown } = {}) {
    super(
      `${server} cannot serve now (${what}). ${advice}. Interrupted work continues by itself, ` +
        'or with the same command.',
      options,
    );
  }
}

/** The database belongs to another world: a simulator or another listing. Nothing was requested or changed. */
export class OtherWorld extends PricebookError {
  override readonly exitCode = 78;
  constructor(found: string, asked: string, waysOut: string) {
    super(
      `This database is about another world: ${found}. The command would use ${asked}, and the two must not be ` +
        `mixed. No request was sent. ${waysOut}`,
    );
  }
}

/** A listing was not moved to another host. */
export class MoveRefused extends PricebookError {
  constructor(listing: string, what: string) {
    super(`The ${listing} listing stays where it is: ${asSaid(what)}. Nothing was changed.`);
  }
}

/** The data folder is not writable, not a folder, or on a full disk. Nothing was changed. */
export class HomeUnusable extends PricebookError {
  override readonly exitCode = 78;
  constructor(folder: string, what: string, options: { cause?: unknown } = {}) {
    super(
      `The data folder ${folder} cannot be used: ${what}. ` +
        'Set PRICEBOOK_HOME to a writable folder with enough room.',
      options,
    );
  }

  /** Converts an error of the operating system; null if the error has another cause. */
  static of(folder: string, error: unknown): HomeUnusable | null {
    const { code: given = '', syscall, path, message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
    const isKnown = given in unusable && (given !== 'ENOENT' || syscall === 'mkdir');
    const code = isKnown ? given : /No space left/i.test(message) ? 'ENOSPC' : null;
    if (code === null) return null;
    return new HomeUnusable(folder, `${path ?? 'it'} ${unusable[code]} (${code})`, { cause: error });
  }
}

/** Meaning of error codes for a folder. */
const unusable: Readonly<Record<string, string>> = {
  EACCES: 'is not accessible to this user',
  EPERM: 'is not accessible to this user',
  EROFS: 'is on a read-only file system',
  ENOENT: 'cannot be created there',
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is a file, or below one',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'exceeds your disk quota',
  ENAMETOOLONG: 'has a name that is too long',
  ELOOP: 'contains a loop of symbolic links',
};

/**
 * A night cannot be exported: the destination holds another database's files, or the night does not match its
 * certificate. Nothing was changed.
 */
export class ExportRefused extends PricebookError {}

/** DuckDB, which writes Parquet, is not available for this platform. Nothing was written. */
export class ParquetUnavailable extends PricebookError {
  constructor(cause: unknown) {
    super(
      `Parquet cannot be written on this machine: DuckDB has no build for ${process.platform}-${process.arch}, or it ` +
        'was not installed. Use `--format csv`, or run `npm install` on Linux with glibc, macOS or Windows.',
      { cause },
    );
  }
}

/**
 * A folder or bucket of exports, or the archive's bucket, is unusable: permissions, credentials, space, or a missing
 * bucket. Its files stay unchanged; a person must act.
 */
export class DestinationUnusable extends PricebookError {
  override readonly exitCode = 78;
  constructor(where: string, what: string, options: { cause?: unknown } = {}) {
    super(`${where} cannot be used: ${asSaid(what)}. Existing files stay unchanged.`, options);
  }

  /** Converts an error of the operating system; null if the error has another cause. */
  static of(where: string, error: unknown): DestinationUnusable | null {
    const {
      code = '',
      syscall,
      dest,
      path = 'it',
    } = (error ?? {}) as Partial<NodeJS.ErrnoException & { dest: string }>;
    const isKnown = code in unusable && (code !== 'ENOENT' || syscall === 'mkdir');
    // For a copy, the error is about its target.
    return isKnown
      ? new DestinationUnusable(where, `${dest ?? path} ${unusable[code]} (${code})`, { cause: error })
      : null;
  }
}

/** A bucket does not answer, or only with server errors. A run waits for its archive; exports are repeated later. */
export class DestinationUnavailable extends PricebookError {
  override readonly exitCode = 69;
  constructor(where: string, what: string, options: { cause?: unknown } = {}) {
    super(
      `${where} is unavailable: ${asSaid(what)}. Nothing was written partially; run the same command again later.`,
      options,
    );
  }
}

/** A run is refused, because another run is in progress or nights would be out of order. */
export class RunRefused extends PricebookError {}

/** A step of a run failed because of a bug and would fail again. The run stays open until a person acts. */
export class RunFailed extends PricebookError {
  constructor(run: { readonly runId: number; readonly region: string; readonly snapshotDate: string }, what: string) {
    super(
      `Run ${run.runId} of ${run.region} ${run.snapshotDate} failed unexpectedly: ${asSaid(what)}. ` +
        'This is a fault of the program or its database, not an outage; details are in the log. ' +
        'All data are kept and the run stays open. After a fix the same command continues it; ' +
        `\`pricebook crawl --abandon ${run.runId}\` abandons it.`,
    );
  }
}

/** No data match the given name. */
export class NothingFound extends PricebookError {}

/** The embedded PostgreSQL cannot run: platform, permissions or damage. No data were lost; a person must act. */
export class EmbeddedServerFailed extends PricebookError {
  override readonly exitCode = 69;
  constructor(what: string, options: { advice?: string; cause?: unknown } = {}) {
    super(
      `The embedded PostgreSQL cannot be used: ${what}. ` +
        (options.advice ?? 'Set DATABASE_URL to use your own PostgreSQL server.'),
      { cause: options.cause },
    );
  }
}

/** Text of the upstream without its full stop, for use within a sentence. */
function asSaid(what: string): string {
  return what.replace(/\.\s*$/, '');
}
