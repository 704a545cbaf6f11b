/**
 * Every error the program expects, each named by what happened and documented by what follows.
 * Messages are for people: what happened, what it means, what to do. No message ever holds a key.
 * Anything that is not a `PricebookError` is a bug and keeps its stack trace.
 */
export abstract class PricebookError extends Error {
  abstract override readonly name: string;
  /** Exit code of a command that ends with this error (sysexits: 69 unavailable, 75 try later, 78 configuration). */
  readonly exitCode: number = 1;
}

/** Network failure, timeout or 5xx. Retried with backoff; counts against the listing's health. */
export class UpstreamUnavailable extends PricebookError {
  override readonly name = 'UpstreamUnavailable';
  override readonly exitCode = 69;
  readonly status: number | null;
  /** Nothing was asked: it failed so often that we hold back. Whoever wanted to ask is not at fault. */
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

/** 429 for going too fast. Waited out; costs no attempt. */
export class RateLimited extends PricebookError {
  override readonly name = 'RateLimited';
  override readonly exitCode = 75;
  readonly retryAfterMs: number;
  constructor(where: string, retryAfterMs: number) {
    super(
      `${where} says we ask too fast; waiting ${Math.ceil(retryAfterMs / 1000)} s. Lower the listing's REQUESTS_PER_SECOND if this goes on.`,
    );
    this.retryAfterMs = retryAfterMs;
  }
}

/** A quota is used up, ours or the upstream's. Everything pauses until the window turns; an open run stays open. */
export class BudgetExhausted extends PricebookError {
  override readonly name = 'BudgetExhausted';
  override readonly exitCode = 75;
  readonly until: Date | null;
  /** What is used up. */
  readonly what: string;
  /** What one run may spend (RUN_CAPS): others may ask. */
  readonly isOfRun: boolean;
  /** Told by the gateway of this key: processes with another one may ask. */
  readonly isOfKey: boolean;
  constructor(
    where: string,
    what: string,
    until: Date | null,
    {
      isOfRun = false,
      isOfKey = false,
      recheckedAt = null,
    }: { isOfRun?: boolean; isOfKey?: boolean; recheckedAt?: Date | null } = {},
  ) {
    // A request that sees whether a plan was changed is let through once in a while.
    const isEarlier = recheckedAt !== null && (until === null || recheckedAt < until);
    const earlier = !isEarlier ? '' : `, or after ${recheckedAt.toISOString()} if the plan was changed`;
    // No window turns for it: the run has what it may spend, until somebody says otherwise.
    const when = until ? `after ${until.toISOString()}` : isOfRun ? 'with a larger RUN_CAPS' : 'when the quota allows';
    super(`${where}: ${asSaid(what)}. Nothing was lost; run the same command again ${when}${earlier}.`);
    this.until = until;
    this.what = what;
    this.isOfRun = isOfRun;
    this.isOfKey = isOfKey;
  }
}

/** 401 or 403: key missing, unknown or not subscribed. All asking stops; someone must act. */
export class AccessDenied extends PricebookError {
  override readonly name = 'AccessDenied';
  override readonly exitCode = 78;
  /** What the gateway said. */
  readonly what: string;
  constructor(listing: string, what: string, variable: string) {
    super(
      `The gateway refuses the ${listing} listing: ${asSaid(what)}. Check the key in ${variable} and its subscription.`,
    );
    this.what = what;
  }
}

/** True when the gateway stops this process's key: others with another key can go on. */
export function isOfKey(error: unknown): boolean {
  return error instanceof AccessDenied || (error instanceof BudgetExhausted && error.isOfKey);
}

/** 401 for one endpoint only. That endpoint is given up; the others go on. */
export class EndpointDisabled extends PricebookError {
  override readonly name = 'EndpointDisabled';
  constructor(where: string) {
    super(`${where} is not part of the subscription's plan. Upgrade the plan or do without this endpoint.`);
  }
}

/** A gateway 404: the path or the listing does not exist there. Never "no products". */
export class EndpointMissing extends PricebookError {
  override readonly name = 'EndpointMissing';
  /** What the gateway said. */
  readonly what: string;
  constructor(where: string, what: string) {
    super(`${where} does not exist at the gateway (${asSaid(what)}). Check the listing's host and base URL.`);
    this.what = what;
  }
}

/** A redirect. Never followed: the key would travel to another host. */
export class RedirectRefused extends PricebookError {
  override readonly name = 'RedirectRefused';
  constructor(where: string, to: string | null) {
    super(
      `${where} redirects to ${to ?? 'nowhere'}; not followed, the key stays here. If the listing moved, set its HOST and BASE_URL.`,
    );
  }
}

/** A vendor 400 or another 4xx: this question is wrong for the upstream. Not retried. */
export class QuestionRefused extends PricebookError {
  override readonly name = 'QuestionRefused';
  readonly status: number;
  constructor(where: string, status: number, what: string) {
    super(`${where} refuses the question (HTTP ${status}): ${asSaid(what)}. It is not asked again.`);
    this.status = status;
  }
}

/** The vendor says it has no such thing: a fact, recorded as such. */
export class NotThere extends PricebookError {
  override readonly name = 'NotThere';
  constructor(where: string) {
    super(`${where}: the upstream has no such thing.`);
  }
}

/** We would not even ask: the upstream could not accept these parameters. */
export class QuestionInvalid extends PricebookError {
  override readonly name = 'QuestionInvalid';
  constructor(endpoint: string, what: string) {
    super(`${endpoint} cannot be asked: ${what}.`);
  }
}

/** A success whose envelope is not what we know. The payload is safe in the archive: fix the contract, then replay. */
export class ContractBroken extends PricebookError {
  override readonly name = 'ContractBroken';
  readonly issues: readonly string[];
  constructor(endpoint: string, issues: readonly string[]) {
    super(
      `${endpoint} answered in a shape we do not know: ${issues.slice(0, 3).join('; ')}. The payload is archived; fix the contract and replay.`,
    );
    this.issues = issues;
  }
}

/** The first pages of a night cannot be read as before: the run is given up before more is paid for. */
export class DriftBreaking extends PricebookError {
  override readonly name = 'DriftBreaking';
  constructor(night: string, what: string) {
    super(
      `The first pages of ${night} cannot be read as before (${asSaid(what)}): the run is given up, and nothing more is asked. ` +
        '`pricebook drift` shows what has changed and where fields moved. Mend the parser and crawl again; `pricebook crawl --despite-drift` crawls as it is.',
    );
  }
}

/** Each of the first pages of a night was refused, or answered in no shape we know: the same. */
export class FirstPagesUnread extends PricebookError {
  override readonly name = 'FirstPagesUnread';
  constructor(night: string, what: string) {
    super(
      `None of the first pages of ${night} can be read (${asSaid(what)}): the run is given up, and nothing more is asked. ` +
        '`pricebook probe` asks each endpoint a few questions and says what each answers; `pricebook crawl --despite-drift` crawls as it is.',
    );
  }
}

/** The disk of the archive is full. The page is given back, the run waits; nothing is staged that was not archived. */
export class ArchiveFull extends PricebookError {
  override readonly name = 'ArchiveFull';
  override readonly exitCode = 75;
  constructor(folder: string, cause: Error) {
    super(
      `There is no room left for the archive in ${folder} (${cause.message}). Make room, or lower ARCHIVE_DAYS and run \`pricebook prune\`; the run goes on by itself, or with the same command.`,
      { cause },
    );
  }
}

/** A payload that should be in the archive is not, or not as it was. What stands on it cannot be replayed. */
export class PayloadLost extends PricebookError {
  override readonly name = 'PayloadLost';
  constructor(sha256: string, what: string) {
    super(`Payload ${sha256.slice(0, 12)}… cannot be read: ${what}. What was read from it stays as it is.`);
  }
}

/** This worker no longer owns the page or the run: it changes nothing and goes on to other work. */
export class LeaseLost extends PricebookError {
  override readonly name = 'LeaseLost';
  constructor(what: string) {
    super(`${what} belongs to another worker now; nothing was changed.`);
  }
}

/** Something was published, released or replayed since the run was staged. It is staged again from the archive. */
export class BaseMoved extends PricebookError {
  override readonly name = 'BaseMoved';
  constructor(runId: number) {
    super(
      `The catalogue has changed since run ${runId} was compared with it; nothing was published. It has to be staged again from the archive.`,
    );
  }
}

/** The configuration cannot be used. All mistakes at once, none with a secret's value. */
export class ConfigInvalid extends PricebookError {
  override readonly name = 'ConfigInvalid';
  override readonly exitCode = 78;
  readonly issues: readonly string[];
  constructor(issues: readonly string[]) {
    super(
      `The configuration has ${issues.length === 1 ? 'a mistake' : `${issues.length} mistakes`}:\n${issues.map((issue) => `  ${issue}`).join('\n')}`,
    );
    this.issues = issues;
  }
}

/** The command line cannot be used. */
export class UsageInvalid extends PricebookError {
  override readonly name = 'UsageInvalid';
  override readonly exitCode = 2;
}

/** A file to be loaded has mistakes. Nothing of it was loaded. */
export class FileRefused extends PricebookError {
  override readonly name = 'FileRefused';
  override readonly exitCode = 2;
  constructor(file: string, mistakes: readonly string[]) {
    const shown = mistakes.slice(0, 5).join('; ');
    const more = mistakes.length > 5 ? `; and ${mistakes.length - 5} more` : '';
    super(`${file} was not loaded, nothing of it: ${shown}${more}. Fix the file and load it again.`);
  }
}

/** PostgreSQL or Redis cannot be reached. */
export class ServerUnreachable extends PricebookError {
  override readonly name = 'ServerUnreachable';
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
 * PostgreSQL or Redis is there and cannot do what it is asked: no disk, memory or connection left, or the statement was
 * cut off.
 */
export class ServerUnable extends PricebookError {
  override readonly name = 'ServerUnable';
  override readonly exitCode = 75;
  constructor(server: 'PostgreSQL' | 'Redis', what: string, advice: string, options: { cause?: unknown } = {}) {
    super(
      `${server} cannot serve now (${what}). ${advice}; what was under way goes on by itself, or with the same command.`,
      options,
    );
  }
}

/** Another version of the program made the database's schema. Nothing is changed. */
export class SchemaDiffers extends PricebookError {
  override readonly name = 'SchemaDiffers';
  override readonly exitCode = 78;
  constructor(found: string | null, own: string) {
    const [theirs, ours] = [found?.slice(0, 8) ?? 'unknown', own.slice(0, 8)];
    super(
      `The database has the schema of another pricebook (${theirs}, this one needs ${ours}), and before version 1.0 a schema is not ` +
        'converted: run the version that made it, start a new book with another DATABASE_URL or PRICEBOOK_HOME, or empty ' +
        'this one with `pricebook reset`. Nothing was changed.',
    );
  }
}

/** The schema was dropped, and perhaps made anew, while this program was running. */
export class SchemaGone extends PricebookError {
  override readonly name = 'SchemaGone';
  override readonly exitCode = 78;
  constructor() {
    super(
      'The database was emptied while this program was at work, by `pricebook reset` or a restore: nothing more is asked or written, and it ends. Start it again to go on with what is there now.',
    );
  }
}

/** Nights would get a wrong date by this machine's clock, or by the database's. */
export class ClockWrong extends PricebookError {
  override readonly name = 'ClockWrong';
  override readonly exitCode = 78;
  constructor(here: Date, inDatabase: Date) {
    super(
      `This machine's clock says ${here.toISOString()}, the database's ${inDatabase.toISOString()}: by the wrong one of the two a night would get the date of another, so nothing is crawled. Set it, best by NTP, and start again.`,
    );
  }
}

/**
 * The database's book is about another world: one that is invented, or another listing. Nothing was asked or changed.
 */
export class OtherWorld extends PricebookError {
  override readonly name = 'OtherWorld';
  override readonly exitCode = 78;
  constructor(found: string, asked: string, waysOut: string) {
    super(
      `This database is about another world: ${found}. The command asks ${asked}, and the two must not be mixed; nothing was asked. ${waysOut}`,
    );
  }
}

/** A listing was not moved to another host; it is asked where it was. */
export class MoveRefused extends PricebookError {
  override readonly name = 'MoveRefused';
  constructor(listing: string, what: string) {
    super(`The ${listing} listing stays where it is: ${asSaid(what)}. Nothing was changed.`);
  }
}

/** The data folder cannot be used: it may not be written, is no folder, or is full. Nothing was changed. */
export class HomeUnusable extends PricebookError {
  override readonly name = 'HomeUnusable';
  override readonly exitCode = 78;
  constructor(folder: string, what: string, options: { cause?: unknown } = {}) {
    super(
      `The data folder ${folder} cannot be used: ${what}. Set PRICEBOOK_HOME to a folder that you may write and that has room.`,
      options,
    );
  }

  /** The same, when that is what an error of the operating system says; null for any other. */
  static of(folder: string, error: unknown): HomeUnusable | null {
    const { code: given = '', syscall, path, message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
    const isKnown = given in unusable && (given !== 'ENOENT' || syscall === 'mkdir');
    const code = isKnown ? given : /No space left/i.test(message) ? 'ENOSPC' : null;
    if (code === null) return null;
    return new HomeUnusable(folder, `${path ?? 'it'} ${unusable[code]} (${code})`, { cause: error });
  }
}

/** What the operating system says of a place that cannot hold data. */
const unusable: Readonly<Record<string, string>> = {
  EACCES: 'is not yours to use',
  EPERM: 'is not yours to use',
  EROFS: 'is on a read-only file system',
  ENOENT: 'cannot be made there',
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is a file, or below one',
  ENOSPC: 'is on a disk without room',
  EDQUOT: 'is on a disk of which your share is used up',
  ENAMETOOLONG: 'has too long a name',
  ELOOP: 'leads in a circle of links',
};

/**
 * A snapshot cannot be exported as asked: another book's files lie there, or the night is not what its certificate
 * says. Nothing was changed.
 */
export class ExportRefused extends PricebookError {
  override readonly name = 'ExportRefused';
}

/** DuckDB, which writes Parquet, has no build for this machine. Nothing was written. */
export class ParquetUnavailable extends PricebookError {
  override readonly name = 'ParquetUnavailable';
  constructor(cause: unknown) {
    super(
      `Parquet cannot be written on this machine: DuckDB has no build for ${process.platform}-${process.arch}, or it was not installed. \`--format csv\` needs none; \`npm install\` on Linux with glibc, macOS or Windows brings it.`,
      { cause },
    );
  }
}

/**
 * The place snapshots go to cannot be used: rights, credentials, room, no such bucket. What lies there stays; someone
 * must act.
 */
export class DestinationUnusable extends PricebookError {
  override readonly name = 'DestinationUnusable';
  override readonly exitCode = 78;
  constructor(where: string, what: string, options: { cause?: unknown } = {}) {
    super(`Snapshots cannot be written to ${where}: ${asSaid(what)}. What lies there stays as it is.`, options);
  }

  /** The same, when that is what an error of the operating system says; null for any other. */
  static of(where: string, error: unknown): DestinationUnusable | null {
    const {
      code = '',
      syscall,
      dest,
      path = 'it',
    } = (error ?? {}) as Partial<NodeJS.ErrnoException & { dest: string }>;
    const isKnown = code in unusable && (code !== 'ENOENT' || syscall === 'mkdir');
    // Of a copy, what it is copied to.
    return isKnown
      ? new DestinationUnusable(where, `${dest ?? path} ${unusable[code]} (${code})`, { cause: error })
      : null;
  }
}

/** The place snapshots go to does not answer, or only with errors of its own. What is owed is exported later. */
export class DestinationUnavailable extends PricebookError {
  override readonly name = 'DestinationUnavailable';
  override readonly exitCode = 69;
  constructor(where: string, what: string, options: { cause?: unknown } = {}) {
    super(
      `${where} is unavailable: ${asSaid(what)}. No night is half there; run the same command again later.`,
      options,
    );
  }
}

/** Another run stands in the way, or time would go backwards. */
export class RunRefused extends PricebookError {
  override readonly name = 'RunRefused';
}

/** A step of a run failed as only a bug does, so it would fail again. The run stays open; someone must act. */
export class RunFailed extends PricebookError {
  override readonly name = 'RunFailed';
  constructor(run: { readonly runId: number; readonly region: string; readonly snapshotDate: string }, what: string) {
    super(
      `Run ${run.runId} of ${run.region} ${run.snapshotDate} failed unexpectedly: ${asSaid(what)}. This is a fault of the program ` +
        'or of its database, not an outage; the log has its details. What was read is kept and the run stays open: once the ' +
        `fault is mended, the same command goes on with it, and \`pricebook crawl --abandon ${run.runId}\` gives it up.`,
    );
  }
}

/** The book has nothing by the name that was asked for. */
export class NothingFound extends PricebookError {
  override readonly name = 'NothingFound';
}

/** The explorer would be open to everybody who can reach its address. Nothing was started. */
export class ExplorerUnguarded extends PricebookError {
  override readonly name = 'ExplorerUnguarded';
  override readonly exitCode = 78;
  constructor(host: string) {
    super(
      `The explorer would be open to everybody who can reach ${host}; nothing was started. Set DASHBOARD_PASSWORD, or DASHBOARD_USER_HEADER to the header in which your proxy names the user, or HOST to 127.0.0.1.`,
    );
  }
}

/** The embedded PostgreSQL cannot serve: platform, permissions, damage. Nothing was lost; someone must act. */
export class EmbeddedServerFailed extends PricebookError {
  override readonly name = 'EmbeddedServerFailed';
  override readonly exitCode = 69;
  constructor(what: string, options: { advice?: string; cause?: unknown } = {}) {
    super(
      `The embedded PostgreSQL cannot be used: ${what}. ${options.advice ?? 'Set DATABASE_URL to use a PostgreSQL server of your own.'}`,
      { cause: options.cause },
    );
  }
}

/** Something outside `marts` depends on a view that must be renewed. Nothing was changed. */
export class ViewsBlocked extends PricebookError {
  override readonly name = 'ViewsBlocked';
  constructor(dependants: string) {
    super(
      `The views in marts cannot be renewed: ${dependants}. Drop what depends on them, run \`pricebook migrate\`, then create it again; nothing was changed.`,
    );
  }
}

/** Words of the upstream within a sentence of ours, which has a full stop of its own. */
function asSaid(what: string): string {
  return what.replace(/\.\s*$/, '');
}
