import { Command, Option } from 'commander';
import { capital } from '../base/format.ts';
import { questionNamed } from '../questions/index.ts';
import known from './commands.json' with { type: 'json' };
import { declareIn, type Verb, type VerbEntry } from './define-verb.ts';
import { ownCommand } from './hint.ts';
import { readVersion } from './version.ts';

/** Commands by their heading in `pricebook --help`. Those without a summary only answer the question of their name. */
const groups =
  Object.entries<Readonly<Record<string, { readonly summary?: string; readonly example?: string }>>>(known);

/** The file of a command is loaded only if the command is named, so that help and usage errors are fast. */
export const verbs = groups.flatMap(([group, entries]) =>
  Object.entries(entries).map(([name, { summary, example }]): VerbEntry => {
    const about = { name, group, ...(example && { example }) };
    if (summary)
      return { ...about, summary, load: async () => ((await import(`./verbs/${name}.ts`)) as { verb: Verb }).verb };
    const question = questionNamed(name)!;
    const load = async () => (await import('./question-verb.ts')).questionVerb(question);
    return { ...about, summary: `show ${question.about}`, load };
  }),
);

export interface GlobalOptions {
  readonly now?: Date;
}

/**
 * Command line parser; `loaded` has the verbs that the arguments name. Parsing calls `invoke` for the named verb.
 * Errors are printed as one line and thrown as `CommanderError`.
 */
export function createProgram(
  loaded: ReadonlyMap<string, Verb>,
  readInstant: ((text: string) => Date) | null,
  invoke: (name: string, verb: Verb, options: never, globals: GlobalOptions) => Promise<void>,
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

  for (const [group] of groups) {
    program.commandsGroup(`${group}:`);
    for (const entry of verbs) if (entry.group === group) declare(entry);
  }
  return program.helpCommand(true);

  function declare({ name, summary, example }: VerbEntry): void {
    const command = program.command(name).summary(summary).description(sentence(summary));
    if (example) command.addHelpText('after', `\nExample: ${ownCommand} ${example}`);
    command.configureOutput({ outputError: (text, write) => write(`${oneLine(text, example)}\n`) });
    const verb = loaded.get(name);
    if (!verb) return;
    for (const [place, part] of (verb.parts ?? []).entries()) {
      const own = command.command(part.name, { isDefault: place === 0 });
      define(name, own.summary(part.summary).description(sentence(part.summary)), part.verb);
      const help = `\`pricebook ${name} ${part.name} --help\` lists its options.`;
      if (place === 0) command.addHelpText('after', `\nWithout a command, ${part.name} runs: ${help}`);
    }
    if (!verb.parts) define(name, command, verb);
  }

  function define(name: string, command: Command, verb: Verb): void {
    declareIn(command, verb);
    refuseRepeated(command);
    const takesNone = command.registeredArguments.length === 0;
    command.allowExcessArguments(takesNone).action(async () => {
      if (takesNone && command.args.length > 0) command.error(`error: ${withOptions(name, command)}`);
      const { now, ...options } = command.optsWithGlobals<GlobalOptions>();
      await invoke(name, verb, { ...options, operands: command.args } as never, now === undefined ? {} : { now });
    });
  }
}

/** Options by values that are often typed without one; a command takes the first option that it has. */
const untyped: readonly (readonly [RegExp, ...string[]])[] = [
  [/^(uk|ie)$/, '--region'],
  [/^\d{4}-\d\d-\d\d$/, '--date', '--since', '--from'],
  [/^\d{6,}/, '--product', '--products', '--items'],
  [/^/, '--words', '--keyword', '--category'],
];

/** What to type in place of arguments without options. */
function withOptions(name: string, { args, options }: Command): string {
  const typed = new Map<string, string[]>();
  for (const arg of args) {
    const [, ...fitting] = untyped.find(([value]) => value.test(arg))!;
    const long = fitting.find((each) => options.some((option) => option.long === each));
    if (long === undefined) return `too many arguments: ${name} has no option for ${JSON.stringify(arg)}`;
    typed.set(long, [...(typed.get(long) ?? []), arg]);
  }
  const given = [...typed].map(([long, values]) => {
    const value = values.join(/^\d/.test(values[0]!) ? ',' : ' ');
    return `${long} ${/^[\w:,-]+$/.test(value) ? value : JSON.stringify(value)}`;
  });
  return `arguments need their options: \`pricebook ${name} ${given.join(' ')}\``;
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

function oneLine(text: string, example?: string): string {
  // Of the options that every command has, --version is the likest to --region, which some commands do not take.
  const told = text.trim().replace(/\s*\(Did you mean --version\?\)/, '');
  const [, missing] = /^error: (?:required option '(?=--)|missing required argument ')([\w-]+)/.exec(told) ?? [];
  if (missing !== undefined && example)
    return `pricebook: ${missing} is missing; an example is \`pricebook ${example}\``;
  return told
    .replace(/^error: /, 'pricebook: ')
    .replace(/command-argument value ('.*?') is invalid for argument '(.*?)'/, '$2 $1 is invalid')
    .replace(/\s*\n\s*/g, ' ');
}

const sentence = (text: string): string => `${capital(text)}.`;
