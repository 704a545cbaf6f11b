import { Command, Option } from 'commander';
import type { Verb, VerbEntry } from './define-verb.ts';
import { readVersion } from './version.ts';

export interface GlobalOptions {
  readonly now?: Date;
}

/**
 * Command line parser for a list of verbs; `loaded` has the verbs that the arguments name. Parsing calls `invoke` for
 * the named verb. Errors are printed as one line and thrown as `CommanderError`.
 */
export function createProgram(
  verbs: readonly VerbEntry[],
  loaded: ReadonlyMap<string, Verb>,
  readInstant: ((text: string) => Date) | null,
  invoke: (verb: Verb, options: never, globals: GlobalOptions) => Promise<void>,
  write: { out(text: string): void; error(text: string): void },
): Command {
  const now = new Option('--now <instant>', 'run as if it were this instant, or the night of this date');
  const program = new Command('pricebook')
    .description(
      'Crawls the catalogue of an online supermarket every night, in both regions, ' +
        'and keeps its history in PostgreSQL.',
    )
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

/**
 * Refuses a repeated option, because commander would silently use the last value. Options whose parser takes a second
 * parameter collect values and may repeat.
 */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (!option.required || option.variadic || (option.parseArg?.length ?? 0) > 1) continue;
    let times = 0;
    command.on(`option:${option.name()}`, () => {
      times += 1;
      if (times > 1) command.error(`error: ${option.long} is given twice but takes one value`);
    });
  }
}

const exitCodes = `
Exit codes: 0 done, 1 failed, 2 usage error, 3 finished but partial, 69 a server cannot be reached,
75 stopped by a limit (try later), 78 configuration, 130 and 143 interrupted.`;

function oneLine(text: string): string {
  return (
    text
      .trim()
      // Of the options that every command has it is the likest to --region, which some commands do not take.
      .replace(/\s*\(Did you mean --version\?\)/, '')
      .replace(/^error: /, 'pricebook: ')
      .replace(/\s*\n\s*/g, ' ')
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
