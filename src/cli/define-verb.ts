import type { Command } from 'commander';
import type { Config } from '../app/config.ts';
import type { Clock } from '../base/clock.ts';
import type { PricebookError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Console } from './console.ts';

/** What a verb is run with. */
export interface Invocation {
  /** Read on first use; throws `ConfigInvalid`. */
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly console: Console;
  /** Aborted when the command is asked to end. */
  readonly signal: AbortSignal;
  /** Ends the command in order for a reason of its own, with the exit code of that. */
  end(reason: PricebookError): void;
  /** How long an upstream that does not answer is waited for. */
  readonly patienceMs: number;
}

/** A command of the command line: `pricebook <name>`. */
export interface VerbEntry {
  readonly name: string;
  /** One line for `pricebook --help`. */
  readonly summary: string;
  load(): Promise<Verb>;
}

/** Nothing is 0. */
type ExitCode = Promise<number | undefined> | Promise<void>;

/** What a command takes and does. */
export interface Verb {
  /** What it logs when LOG_LEVEL is not set: a `service` tells what it does, a `command` only what is wrong. */
  readonly logsLike: 'command' | 'service';
  /** Adds its options. */
  declare(command: Command): void;
  /** Does it; resolves to the exit code. Beside the options stand its words without one, as `operands`. */
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
