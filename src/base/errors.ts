import { asSaid, type FailureKind, PricebookError } from './pricebook-error.ts';

export { type FailureKind, kindOf, PricebookError, Refused } from './pricebook-error.ts';
export { RequestFailed } from './request-failed.ts';

interface Terms<Said extends readonly never[]> {
  /** By default 1. */
  readonly exitCode?: number;
  /** By default `bug`. */
  readonly kind?: FailureKind;
  readonly says: (...said: Said) => string;
}

type ErrorClass<Said extends readonly unknown[]> = new (...given: [...said: Said, cause?: unknown]) => PricebookError;

/** Classes of errors from their exit codes, kinds and sentences. The constructor also takes the cause. */
function errorClasses<Table extends Readonly<Record<string, Terms<never[]>>>>(table: Table) {
  const classOf = (name: string, { exitCode = 1, kind = 'bug', says }: Terms<never[]>) =>
    class extends PricebookError {
      override readonly exitCode: number = exitCode;
      override readonly kind: FailureKind = kind;
      constructor(...given: never[]) {
        super(says(...given), { cause: given[says.length] });
        this.name = name;
      }
    };
  return Object.fromEntries(Object.entries(table).map(([name, terms]) => [name, classOf(name, terms)])) as unknown as {
    readonly [Name in keyof Table]: ErrorClass<Parameters<Table[Name]['says']>>;
  };
}

export const {
  ArchiveFull,
  DestinationUnavailable,
  FirstPagesUnread,
  ClaimLost,
  MoveRefused,
  OtherWorld,
  ParquetUnavailable,
  PayloadLost,
  RunFailed,
  ServerUnable,
} = errorClasses({
  /** The archive's disk is full. The claim is released and the run waits; nothing is staged without being archived. */
  ArchiveFull: {
    exitCode: 75,
    kind: 'room',
    says: (folder: string, why: string) =>
      `There is no room left for the archive in ${folder} (${why}). Make room, or lower ARCHIVE_DAYS and ` +
      'run `pricebook prune`. The run then continues by itself, or with the same command.',
  },
  /** A bucket does not answer, or only with server errors. A run waits for its archive; exports are repeated later. */
  DestinationUnavailable: {
    exitCode: 69,
    kind: 'room',
    says: (where: string, what: string) =>
      `${where} is unavailable: ${asSaid(what)}. Nothing was written partially; run the same command again later.`,
  },
  /** The first pages of a night cannot be parsed as before, or not at all. The run is abandoned. */
  FirstPagesUnread: {
    says: (pages: string, what: string) =>
      `${pages} (${asSaid(what)}). The run is given up, and no more requests are sent. \`pricebook drift\` shows ` +
      'the changes. Fix the parser and crawl again, or crawl all the same with `pricebook crawl --despite-drift`.',
  },
  /** Another worker owns the page or the run. This worker changes nothing and continues with other work. */
  ClaimLost: {
    kind: 'claim_lost',
    says: (what: string) => `${what} belongs to another worker now; nothing was changed.`,
  },
  /** A listing was not moved to another host. */
  MoveRefused: {
    says: (listing: string, what: string) =>
      `The listing ${listing.replaceAll('_', '-')} stays where it is: ${asSaid(what)}. Nothing was changed.`,
  },
  /** The database belongs to another world: a simulator or another listing. Nothing was requested or changed. */
  OtherWorld: {
    exitCode: 78,
    says: (found: string, asked: string, waysOut: string) =>
      `This database is about another world: ${found}. The command would use ${asked}, and the two must not be ` +
      `mixed. No request was sent. ${waysOut}`,
  },
  /** DuckDB, which writes Parquet, is not available for this platform. Nothing was written. */
  ParquetUnavailable: {
    says: () =>
      `Parquet cannot be written on this machine: DuckDB has no build for ${process.platform}-${process.arch}, or it ` +
      'was not installed. Use `--format csv`, or run `npm install` on Linux with glibc, macOS or Windows.',
  },
  /** An archived payload is missing or damaged. Data parsed from it cannot be replayed. */
  PayloadLost: {
    says: (sha256: string, what: string) =>
      `Payload ${sha256.slice(0, 12)}… cannot be read: ${what}. Data parsed from it earlier stay unchanged.`,
  },
  /** A step of a run failed because of a bug and would fail again. The run stays open until a person acts. */
  RunFailed: {
    says: (run: { readonly runId: number; readonly region: string; readonly snapshotDate: string }, what: string) =>
      `Run ${run.runId} of ${run.region} ${run.snapshotDate} failed unexpectedly: ${asSaid(what)}. ` +
      'This is a fault of the program or its database, not an outage; details are in the log. ' +
      'All data are kept and the run stays open. After a fix the same command continues it; ' +
      `\`pricebook crawl --abandon ${run.runId}\` abandons it.`,
  },
  /** PostgreSQL or Redis refuses work: no disk space, memory or connection, or the statement was cancelled. */
  ServerUnable: {
    exitCode: 75,
    kind: 'room',
    says: (server: string, what: string, advice: string) =>
      `${server} cannot serve now (${what}). ${advice}. Interrupted work continues by itself, ` +
      'or with the same command.',
  },
});
export type PayloadLost = InstanceType<typeof PayloadLost>;

/** A successful response with an unknown envelope. The payload is archived: fix the contract, then replay. */
export class ContractBroken extends PricebookError {
  override readonly kind = 'contract';
  readonly issues: readonly string[];
  constructor(endpoint: string, issues: readonly string[]) {
    super(
      `${endpoint} responded in an unknown shape: ${issues.slice(0, 3).join('; ')}. ` +
        'The payload is archived; fix the contract and replay.',
    );
    this.issues = issues;
  }
}

/** Invalid configuration. Lists all mistakes, without secret values. */
export class ConfigInvalid extends PricebookError {
  override readonly exitCode = 78;
  readonly issues: readonly string[];
  constructor(issues: readonly string[]) {
    const found = issues.length === 1 ? 'a mistake' : `${issues.length} mistakes`;
    super([`The configuration has ${found}:`, ...issues].join(issues.length === 1 ? ' ' : '\n  '));
    this.issues = issues;
  }
}

/** Invalid command line. */
export class UsageInvalid extends PricebookError {
  override readonly exitCode = 2;
}

/** A night cannot be exported: the destination has another database's files, or the night fails its certificate. */
export class ExportRefused extends PricebookError {}

/** A run is refused, because another run is in progress or nights would be out of order. */
export class RunRefused extends PricebookError {}

/** No data match the given name. */
export class NothingFound extends PricebookError {}

/** Settings that a server refuses, by SQLSTATE, code of Node or reply of Redis, and what helps. */
const refusals: readonly (readonly [codes: RegExp, refusal: string, remedy: string])[] = [
  [/^(28|3D|WRONGPASS|NOAUTH)/, 'refuses the login', 'Check its user, password and database'],
  [/^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/, 'is not trusted', 'Set sslrootcert or NODE_EXTRA_CA_CERTS to its authority'],
  [/^ERR_TLS_CERT_ALTNAME/, 'has another name', 'Connect by a name of its certificate'],
];

/** PostgreSQL or Redis cannot be reached, or refuses the settings: then a person must act. */
export class ServerUnreachable extends PricebookError {
  override readonly kind = 'server_away';
  override readonly exitCode: number;
  constructor(server: string, variable: string, options: { cause?: unknown } = {}) {
    const { message = '', code = '', name } = (options.cause ?? {}) as NodeJS.ErrnoException;
    const why = options.cause instanceof Error ? ` (${message || code || name})` : '';
    const refused = refusals.find(([codes]) => codes.test(code || message));
    const [, fault, remedy] = refused ?? ['', 'is unreachable', 'Start it'];
    super(`${server} ${fault}${why}. ${remedy}, or correct ${variable}.`, options);
    this.exitCode = refused ? 78 : 69;
  }
}

/** The data folder is not writable, not a folder, or on a full disk. Nothing was changed. */
export class HomeUnusable extends PricebookError {
  override readonly exitCode = 78;

  /** Converts an error of the operating system; null if the error has another cause. */
  static of(folder: string, error: unknown): HomeUnusable | null {
    const { message = '' } = (error ?? {}) as Partial<Error>;
    const fault = faultOf(error) ?? (/No space left/i.test(message) ? `it ${unusable['ENOSPC']} (ENOSPC)` : null);
    if (fault === null) return null;
    const advice = 'Set PRICEBOOK_HOME to a writable folder with enough room.';
    return new HomeUnusable(`The data folder ${folder} cannot be used: ${fault}. ${advice}`, { cause: error });
  }
}

/** A folder or bucket of exports or of the archive cannot be used. Its files stay as they are; a person must act. */
export class DestinationUnusable extends PricebookError {
  override readonly kind = 'room';
  override readonly exitCode = 78;
  constructor(where: string, what: string, options: ErrorOptions = {}) {
    super(`${where} cannot be used: ${asSaid(what)}. Existing files stay unchanged.`, options);
  }

  /** Converts an error of the operating system; null if the error has another cause. */
  static of(where: string, error: unknown): DestinationUnusable | null {
    const fault = faultOf(error);
    return fault === null ? null : new DestinationUnusable(where, fault, { cause: error });
  }
}

/** `/data/x is on a full disk (ENOSPC)`; null if the error of the operating system has another cause. */
function faultOf(error: unknown): string | null {
  const { code = '', syscall, dest, path = 'it' } = (error ?? {}) as Partial<NodeJS.ErrnoException & { dest: string }>;
  const isKnown = code in unusable && (code !== 'ENOENT' || syscall === 'mkdir');
  // For a copy, the error is about its target.
  return isKnown ? `${dest ?? path} ${unusable[code]} (${code})` : null;
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

/** The embedded PostgreSQL cannot run: platform, permissions or damage. No data were lost; a person must act. */
export class EmbeddedServerFailed extends PricebookError {
  override readonly exitCode = 69;
  constructor(what: string, { advice, cause }: { advice?: string; cause?: unknown } = {}) {
    const remedy = advice ?? 'Set DATABASE_URL to use your own PostgreSQL server.';
    super(`The embedded PostgreSQL cannot be used: ${what}. ${remedy}`, { cause });
  }
}
