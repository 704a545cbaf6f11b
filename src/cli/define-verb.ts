import type { Command } from 'commander';
import type { Config } from '../app/config.ts';
import type { Clock } from '../base/clock.ts';
import type { PricebookError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Console } from './console.ts';

/** Context of a verb. */
export interface Invocation {
  /** Read on first use; throws `ConfigInvalid`. */
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly console: Console;
  /** Aborted when the command is asked to stop. */
  readonly signal: AbortSignal;
  /** Stops the command in an orderly way with the exit code of the error. */
  end(reason: PricebookError): void;
  /** How long an upstream that does not answer is waited for. */
  readonly patienceMs: number;
}

/** A command: `pricebook <name>`. */
export interface VerbEntry {
  readonly name: string;
  /** One line in `pricebook --help`. */
  readonly summary: string;
  load(): Promise<Verb>;
}

/** Undefined means 0. */
type ExitCode = Promise<number | undefined> | Promise<void>;

/** Options and action of a command. */
export interface Verb {
  /** Default log level: a `service` logs its activity, a `command` logs warnings and errors only. */
  readonly logsLike: 'command' | 'service';
  /** Adds the options. */
  declare(command: Command): void;
  /** Runs the command; resolves to the exit code. Positional arguments are in `operands`. */
  run(options: never, invocation: Invocation): ExitCode;
}

interface VerbDefinition<Options> {
  readonly logsLike?: 'service';
  declare?(command: Command): void;
  run(options: Options, invocation: Invocation): ExitCode;
}

export function defineVerb<Options>({ declare, logsLike, run }: VerbDefinition<Options>): Verb {
  return { logsLike: logsLike ?? 'command', declare: declare ?? (() => undefined), run };
}
