import { Command, Option } from 'commander';
import { questions } from '../questions/index.ts';
import { declareIn, type Verb, type VerbEntry } from './define-verb.ts';
import { readVersion } from './version.ts';

/** A command in the file of its name. */
const own = (name: string, summary: string): VerbEntry => ({
  name,
  summary,
  load: async () => ((await import(`./verbs/${name}.ts`)) as { readonly verb: Verb }).verb,
});

const answering: readonly VerbEntry[] = questions
  // `stores` and `watch` have entries of their own below, because they do more than answer.
  .filter(({ name }) => name !== 'stores' && name !== 'watch')
  .map((question) => ({
    name: question.name,
    summary: `show ${question.about}`,
    load: async () => (await import('./question-verb.ts')).questionVerb(question),
  }));

/** All commands, by their heading in `pricebook --help`. */
const groups: Readonly<Record<string, readonly VerbEntry[]>> = {
  'Crawl:': [
    own('start', 'do everything in one process: crawl both regions now and every night, and serve the explorer'),
    own('crawl', "crawl tonight's run of each region, or continue it"),
    own('work', 'work on open runs until stopped; start as many as you like'),
    own('schedule', 'open every night on time for the workers, until stopped'),
    own('plan', "estimate requests, time and cost of tonight's crawl, without a request"),
    own('status', 'show what is being crawled, the last nights, and what is left of the limits'),
    own('runs', 'list the last runs, newest first'),
    own('listings', 'show address, health and cost of every listing, or move a listing to its new host'),
    own('certify', 'show certificates with their reasons, verify nights against history, or release a night'),
  ],
  'Ask:': [
    ...answering,
    own('product', 'show a product with its state, history and source'),
    own('watch', 'show what came true of products, or send the new rows of a question'),
    own('stores', 'show stores, optionally near a place, or refresh them from the store locator'),
    own('search', 'search the shop for a keyword with one request, and show the first page'),
  ],
  'Share:': [
    own('serve', 'serve the explorer only, until stopped'),
    own('export', 'write nights as Delta Lake tables or CSV files, for DuckDB, Spark, Trino, ClickHouse, pandas'),
    own('mcp', 'answer the questions of an assistant by the Model Context Protocol on standard input and output'),
  ],
  'Maintain:': [
    own('doctor', 'check whether everything is in order, without crawling'),
    own('config', 'show every variable with its value and origin; secrets stay hidden'),
    own('migrate', 'update functions and views of the database, and derive again what has changed'),
    own('drift', 'show how the payloads of a night differ from the nights before'),
    own('replay', 'parse archived nights again, without a request, and show the differences'),
    own('rates', 'load exchange rates from a CSV file'),
    own('prune', 'delete payloads, pages and details of old runs (ARCHIVE_DAYS)'),
    own('simulate', 'simulate the upstream: nine endpoints, both regions, a catalogue that changes every day'),
    own('reset', 'delete everything that was crawled: database, queues, archive'),
  ],
};

/** The file of a command is loaded only if the command is named, so that help and usage errors are fast. */
export const verbs = Object.values(groups).flat();

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

  for (const [heading, entries] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const entry of entries) declare(entry);
  }
  return program.helpCommand(true);

  function declare({ name, summary }: VerbEntry): void {
    const command = program.command(name).summary(summary).description(sentence(summary));
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
    const takesWords = command.options.some(({ long }) => long === '--words');
    command.allowExcessArguments(takesWords).action(async () => {
      if (takesWords && command.args.length > 0)
        command.error(`error: words need their option: --words ${JSON.stringify(command.args.join(' '))}`);
      const { now, ...options } = command.optsWithGlobals<GlobalOptions>();
      await invoke(name, verb, { ...options, operands: command.args } as never, now === undefined ? {} : { now });
    });
  }
}

/** A value of each option that a command needs. */
const examples: Readonly<Record<string, string>> = {
  ...{ '--region': 'uk', '--from': '2026-03-01', '--to': '2026-03-31', '--out': 'lake' },
  ...{ '--items': '1042:2,1077', '--product': '1042', '--products': '1042,1077' },
};

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
  // Of the options that every command has, --version is the likest to --region, which some commands do not take.
  const told = text.trim().replace(/\s*\(Did you mean --version\?\)/, '');
  const [, missing] = /required option '(--\w+) <\w+>' not specified/.exec(told) ?? [];
  if (missing !== undefined)
    return `pricebook: ${missing} is missing: give it, such as ${missing} ${examples[missing]}`;
  return told.replace(/^error: /, 'pricebook: ').replace(/\s*\n\s*/g, ' ');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
