import type { Command, Option } from 'commander';
import type { Config } from '../app/config.ts';
import type { Clock } from '../base/clock.ts';
import type { PricebookError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Console } from './console.ts';

export interface Invocation {
  readonly name: string;
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
  /** Heading in `pricebook --help`. */
  readonly group: string;
  /** Arguments that work in the book of the simulator. */
  readonly example?: string;
  /** One line in `pricebook --help`. */
  readonly summary: string;
  load(): Promise<Verb>;
}

/** Options and action of a command. */
export interface Verb<Options = never> {
  /**
   * A `service` logs its activity; other commands log warnings and errors only. Both kinds named here run for long and
   * write JSON without a terminal; what other commands log is for people.
   */
  readonly logsLike?: 'service' | 'quiet service';
  /** Subcommands; the first one runs if none is named. */
  readonly parts?: readonly { readonly name: string; readonly summary: string; readonly verb: Verb }[];
  /** Options by the names of their values. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Adds arguments, and options that are not in the table. */
  declare?(command: Command): void;
  /** Resolves to the exit code; undefined means 0. Positional arguments are in `operands`. */
  run(options: Options, invocation: Invocation): Promise<number | undefined> | Promise<void>;
}

/** An option, with the type of its value. */
export type TypedOption<Value> = Option & { readonly valueType: Value };

type ValueOf<Typed> = Typed extends { readonly valueType: infer Value } ? Value : never;

/** The values of a table's options; those without a value are missing. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table as undefined extends ValueOf<Table[Name]> ? never : Name]: ValueOf<Table[Name]>;
} & {
  readonly [Name in keyof Table as undefined extends ValueOf<Table[Name]> ? Name : never]?: NonNullable<
    ValueOf<Table[Name]>
  >;
};

/** Adds arguments and options of a verb to its command. */
export function declareIn(command: Command, { declare, options = {} }: Verb): void {
  declare?.(command);
  for (const option of Object.values(options)) command.addOption(option);
}

type OptionTable = Readonly<Record<string, Option>>;

/** Defines a verb whose options stand in a table, or one that declares them by itself. */
export function defineVerb<Table extends OptionTable>(verb: Verb<ValuesOf<Table>> & { readonly options: Table }): Verb;
export function defineVerb<Options>(verb: Verb<Options>): Verb;
export function defineVerb(verb: Verb): Verb {
  return verb;
}
