import { Command, Option } from 'commander';
import { questions } from '../questions/index.ts';
import type { Verb, VerbEntry } from './define-verb.ts';
import { readVersion } from './version.ts';

const verb = (name: string, summary: string, load: () => Promise<Verb>): VerbEntry => ({ name, summary, load });

/**
 * All commands in the order of `pricebook --help`. The file of a command is loaded only if the command is named, so
 * that help and usage errors are fast.
 */
export const verbs: readonly VerbEntry[] = [
  verb(
    'start',
    'do everything in one process: crawl both regions now and every night, and serve the explorer',
    async () => (await import('./verbs/start.ts')).start,
  ),
  verb(
    'crawl',
    "crawl tonight's run of each region, or continue it",
    async () => (await import('./verbs/crawl.ts')).crawl,
  ),
  verb(
    'work',
    'work on open runs until stopped; start as many as you like',
    async () => (await import('./verbs/work.ts')).work,
  ),
  verb(
    'schedule',
    'open every night on time for the workers, until stopped',
    async () => (await import('./verbs/schedule.ts')).schedule,
  ),
  verb(
    'mcp',
    'answer the questions of an assistant by the Model Context Protocol on standard input and output',
    async () => (await import('./verbs/mcp.ts')).mcp,
  ),
  verb('serve', 'serve the explorer only, until stopped', async () => (await import('./verbs/serve.ts')).serve),
  verb(
    'status',
    'show what is being crawled, the last nights, and what is left of the limits',
    async () => (await import('./verbs/status.ts')).status,
  ),
  verb('runs', 'list the last runs, newest first', async () => (await import('./verbs/runs.ts')).runs),
  verb(
    'plan',
    "estimate requests, time and cost of tonight's crawl, without a request",
    async () => (await import('./verbs/plan.ts')).plan,
  ),
  verb(
    'listings',
    'show address, health and cost of every listing, or move a listing to its new host',
    async () => (await import('./verbs/listings.ts')).listings,
  ),
  verb(
    'certify',
    'show certificates with their reasons, verify nights against history, or release a night',
    async () => (await import('./verbs/certify.ts')).certify,
  ),
  // `stores` has its own entry below, because stores can also be refreshed.
  ...questions
    .filter(({ name }) => name !== 'stores')
    .map(({ name, about, load }) =>
      verb(name, `show ${about}`, async () => (await import('./question-verb.ts')).questionVerb(name, await load())),
    ),
  verb(
    'index-options',
    'show how other methods, splices and treatments of prices would change a price index',
    async () => (await import('./verbs/index-options.ts')).indexOptions,
  ),
  verb(
    'product',
    'show a product with its state, history and source',
    async () => (await import('./verbs/product.ts')).product,
  ),
  verb(
    'rates',
    'load exchange rates or VAT rates from a CSV file',
    async () => (await import('./verbs/rates.ts')).rates,
  ),
  verb(
    'stores',
    'show stores, optionally near a place, or refresh them from the store locator',
    async () => (await import('./verbs/stores.ts')).stores,
  ),
  verb(
    'search',
    'search the shop for a keyword with one request, and show the first page',
    async () => (await import('./verbs/search.ts')).search,
  ),
  verb(
    'export',
    'write nights as Delta Lake tables or CSV files, for DuckDB, Spark, Trino, ClickHouse, pandas',
    async () => (await import('./verbs/export.ts')).exportNights,
  ),
  verb(
    'drift',
    'show how the payloads of a night differ from the nights before',
    async () => (await import('./verbs/drift.ts')).drift,
  ),
  verb(
    'fields',
    'list fields of the payloads that are not read, and keep those of EXTRA_FIELDS',
    async () => (await import('./verbs/fields.ts')).fields,
  ),
  verb(
    'replay',
    'parse archived nights again, without a request, and show the differences',
    async () => (await import('./verbs/replay.ts')).replay,
  ),
  verb(
    'prune',
    'delete payloads, pages and details of old runs (ARCHIVE_DAYS)',
    async () => (await import('./verbs/prune.ts')).prune,
  ),
  verb(
    'migrate',
    'update functions and views of the database, and derive again what has changed',
    async () => (await import('./verbs/migrate.ts')).migrate,
  ),
  verb(
    'simulate',
    'simulate the upstream: nine endpoints, both regions, a catalogue that changes every day',
    async () => (await import('./verbs/simulate.ts')).simulate,
  ),
  verb(
    'config',
    'show every variable with its value and origin; secrets stay hidden',
    async () => (await import('./verbs/config.ts')).config,
  ),
  verb(
    'doctor',
    'check whether everything is in order, without crawling',
    async () => (await import('./verbs/doctor.ts')).doctor,
  ),
  verb(
    'reset',
    'delete everything that was crawled: database, queues, archive',
    async () => (await import('./verbs/reset.ts')).reset,
  ),
];

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
