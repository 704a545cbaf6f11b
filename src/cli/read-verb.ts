import type { Base } from '../app/compose.ts';
import { snakeCased } from '../web/status-json.ts';
import type { Console } from './console.ts';
import { defineVerb, type Invocation, type ValuesOf, type Verb } from './define-verb.ts';
import { withOwnCommand } from './hint.ts';
import { flag } from './option-values.ts';
import { plainText } from './output/plain-text.ts';
import { withBase } from './with-base.ts';

/** Answer of a command that reads. */
export interface Found {
  /** Printed with `--json`. */
  readonly json: object;
  /** Printed otherwise: lines or a table, each line with its end. */
  readonly text?: string;
  /** Lines on stderr beside the text. */
  readonly notes?: readonly string[];
  /** Exit code; by default 0. */
  readonly code?: number;
}

interface Reading<Options> extends Pick<Verb<Options>, 'declare' | 'options'> {
  /** Refuses options before the database is opened. Throws `UsageInvalid`. */
  check?(options: Options): void;
  read(options: Options, base: Base, invocation: Invocation): Promise<Found>;
}

/** A command that reads the database and prints text or, with `--json`, one object. */
export function readVerb<Table extends NonNullable<Verb['options']>>(
  reading: Reading<ValuesOf<Table>> & { readonly options: Table },
): Verb;
export function readVerb<Options extends object>(reading: Reading<Options>): Verb;
export function readVerb({ declare, options: table, check, read }: Reading<object>): Verb {
  return defineVerb<{ readonly json?: boolean }>({
    ...(declare && { declare }),
    options: { ...table, json: flag('--json', 'print JSON') },
    async run(options, invocation) {
      check?.(options);
      return withBase(invocation, async (base) => {
        const found = await read(options, base, invocation);
        await printFound(found, options, invocation);
        return found.code;
      });
    },
  });
}

export async function printFound(
  { json, text = '', notes = [] }: Found,
  options: { readonly json?: boolean },
  { console }: Pick<Invocation, 'console'>,
): Promise<void> {
  if (options.json) return printJson(console, json);
  if (text !== '') await console.data(withOwnCommand(plainText(text)));
  for (const note of notes) console.say(note);
}

/** Prints one JSON object with names as in the database. */
export async function printJson(console: Console, value: object): Promise<void> {
  await console.data(`${JSON.stringify(snakeCased(value))}\n`);
}
