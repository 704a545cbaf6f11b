import { Command, Option } from 'commander';
import type { Verb, VerbEntry } from './define-verb.ts';
import { readVersion } from './version.ts';

export interface GlobalOptions {
  readonly now?: Date;
}

/**
 * The command line over a list of verbs, `loaded` those it names. Parsing it calls `invoke` for the verb that was
 * named; what is wrong with it is said in one line and thrown as a `CommanderError`.
 */
export function createProgram(
  verbs: readonly VerbEntry[],
  loaded: ReadonlyMap<string, Verb>,
  readInstant: ((text: string) => Date) | null,
  invoke: (verb: Verb, options: never, globals: GlobalOptions) => Promise<void>,
  write: { out(text: string): void; error(text: string): void },
): Command {
  const now = new Option('--now <instant>', 'run as if it were that instant, or the night of that date');
  const program = new Command('pricebook')
    .description('Keeps the price book of a whole online supermarket: every night, both regions, in PostgreSQL.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .addOption(readInstant ? now.argParser(readInstant) : now)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: write.out,
      writeErr: write.error,
      outputError: (text, writeErr) => writeErr(`${oneLine(text)}\n`),
    })
    .exitOverride()
    .addHelpText('after', exitCodes);

  for (const { name, summary } of verbs) {
    const command = program.command(name).summary(summary).description(sentence(summary));
    const verb = loaded.get(name);
    if (!verb) continue;
    command.allowExcessArguments(false);
    verb.declare(command);
    refuseRepeated(command);
    command.action(async () => {
      const { now, ...options } = command.optsWithGlobals<GlobalOptions>();
      await invoke(verb, { ...options, operands: command.args } as never, now === undefined ? {} : { now });
    });
  }
  return program;
}

/** The last of several values would be taken, and the others lost. One that reads a second parameter gathers them. */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (!option.required || option.variadic || (option.parseArg?.length ?? 0) > 1) continue;
    let times = 0;
    command.on(`option:${option.name()}`, () => {
      times += 1;
      if (times > 1) command.error(`error: ${option.long} is given twice, and takes one value`);
    });
  }
}

const exitCodes = `
Exit codes: 0 done, 1 failed, 2 not understood, 3 finished but partial, 69 a server cannot be reached,
75 stopped by a limit (try later), 78 configuration, 130 and 143 interrupted.`;

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/^error: /, 'pricebook: ')
    .replace(/\s*\n\s*/g, ' ');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
