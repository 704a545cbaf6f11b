// Reference pages generated from the program: `npx vitest run test/house -u` writes them.
import type { Command } from 'commander';
import { variables } from '../../src/app/config.ts';
import type { Column } from '../../src/base/format.ts';
import { createProgram, verbs } from '../../src/cli/program.ts';
import { questions } from '../../src/questions/index.ts';
import { listings } from '../../src/source/listings/index.ts';
import purposes from '../../src/web/kernel/all-questions.json' with { type: 'json' };
import { readText } from './source-files.ts';

/** Lines of at most 120 characters; all but the first are indented. */
export function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= 120) {
      line = longer;
    } else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line].join('\n');
}

export function item(text: string): string {
  return wrapped(`* ${text}`, '  ');
}

export function configuration(): string {
  const listingOf = (name: string) =>
    Object.values(listings).find(({ environmentPrefix }) => name.startsWith(`${environmentPrefix}_`));
  const firstOfListings = variables.findIndex(({ name }) => listingOf(name));
  const sectionOf = (name: string, index: number): string => {
    const listing = listingOf(name);
    if (listing) return `## ${listing.title}\n\n${wrapped(`A listing: ${listing.about}.`)}`;
    return index < firstOfListings ? '## Servers and key' : '## Crawling, files, alerts and pages';
  };
  const sections = new Map<string, string[]>();
  for (const [index, { name, description, default: fallback, secret }] of variables.entries()) {
    const file = secret ? ` Also as \`${name}_FILE\`.` : '';
    const section = sectionOf(name, index);
    // The heading names the listing already.
    const meaning = listingOf(name) ? description.replace(/^[^:]*: /, '') : description;
    const entry = item(`\`${name}\`: ${meaning}.${file} Not set: ${fallback}.`);
    sections.set(section, [...(sections.get(section) ?? []), entry]);
  }
  return page([
    '# Configuration',
    wrapped(
      'This page lists every variable. Set them in the environment or in a file `.env` in the folder where the ' +
        'program starts; the environment wins. An empty variable counts as not set. ' +
        '`<NAME>_FILE` names a file that holds a secret. All mistakes are reported at once, with exit code 78. ' +
        '`pricebook config` shows each value and its origin, without secrets.',
    ),
    ...[...sections].flatMap(([title, entries]) => [title, entries.join('\n')]),
  ]);
}

export async function commands(): Promise<string> {
  const loaded = new Map(await Promise.all(verbs.map(async (verb) => [verb.name, await verb.load()] as const)));
  const silent = { out: () => undefined, error: () => undefined };
  const program = createProgram(loaded, null, async () => undefined, silent);
  return page([
    '# Commands',
    wrapped(
      'This page lists every command with its options. In a checkout write `npm run --silent pricebook -- <command>` ' +
        'for `pricebook <command>`. Data go to stdout, everything else to stderr. ' +
        'Every command takes `--help`, and `--now <instant>` to run as if it were that instant. ' +
        '`--json` and `--csv` print these formats, with amounts as exact texts. CSV follows RFC 4180; ' +
        'a text that a spreadsheet would execute gets an apostrophe in front.',
    ),
    '## Exit codes',
    [
      item('0: done'),
      item('1: failed; also if stdout cannot be written'),
      item('2: usage error: unknown or contradicting options, or an option given twice that takes one value'),
      item('3: finished, but a night is partial or held, or was left out'),
      item('69: PostgreSQL, Redis or the upstream cannot be reached'),
      item('75: stopped by a limit; run the same command again later'),
      item('78: configuration, for example a refused key, a wrong password or a port in use'),
      item('129, 130, 143: ended by SIGHUP, Ctrl-C or SIGTERM'),
    ].join('\n'),
    wrapped('If `doctor` finds several faults, it uses the first of 78, 75, 69 and 1 that applies.'),
    ...program.commands.filter((command) => command.name() !== 'help').flatMap(commandReference),
  ]);
}

function commandReference(command: Command): string[] {
  const name = [...namesAbove(command), command.name()].join(' ');
  const help = command.createHelp();
  const args = command.registeredArguments.map((argument) =>
    item(`\`${argument.name()}\`: ${help.argumentDescription(argument)}`),
  );
  const visible = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const isFormat = (long: string | undefined) => long === '--json' || long === '--csv';
  const options = visible
    .filter(({ long }) => !isFormat(long))
    .map((option) => item(`\`${option.flags}\`: ${help.optionDescription(option)}`));
  const formats = visible.filter(({ long }) => isFormat(long)).map(({ long }) => `\`${long}\``);
  const lists = [...args, ...options, ...(formats.length > 0 ? [item(formats.join(', '))] : [])].join('\n');
  return [
    `${name.includes(' ') ? '###' : '##'} ${name}`,
    wrapped(command.description()),
    `    pricebook ${name} ${command.usage()}`,
    ...(lists === '' ? [] : [lists]),
    ...command.commands.flatMap(commandReference),
  ];
}

/** Names of the commands that a subcommand belongs to. */
function namesAbove({ parent }: Command): string[] {
  return parent?.parent ? [...namesAbove(parent), parent.name()] : [];
}

export function questionReference(): string {
  const dictionary = readText('docs/analyse/data-dictionary.md');
  const partOf = (name: string, shown: string) => {
    const { about, columns } = questions.find((question) => question.name === name)!;
    const { example } = verbs.find((verb) => verb.name === name)!;
    const meaning = (column: Column) =>
      dictionary.includes(`\`${column.name}\``) || !column.heading ? '' : ` (${column.heading})`;
    const names = wrapped(`${columns.map((column) => `\`${column.name}\`${meaning(column)}`).join(', ')}.`);
    const fields = `<details>\n<summary>Fields</summary>\n\n${names}\n\n</details>`;
    // Ids of products differ between books: without one, the page asks for it.
    const page = `http://127.0.0.1:4280/${name}${shown === '' || shown.includes('{') ? '' : `?${shown}`}`;
    const links = `[Page](${page}), [options](../operate/commands.md#${name}).`;
    return [`### ${name}`, wrapped(`Shows ${about}. ${links}`), `    pricebook ${example}`, fields];
  };
  const parts = Object.entries(purposes).map(([purpose, group]) => [
    `## ${purpose}`,
    ...Object.entries(group).flatMap(([name, [, shown = '']]) => partOf(name, shown)),
  ]);
  return page([
    '# Questions',
    'Each question is `/api/v1/questions/NAME` and `pricebook NAME`, in a checkout `npm run -s pricebook -- NAME`.',
    ...[
      '**Options.** `--min-pct 5` of the command is `?min_pct=5` of the address.',
      '**Formats.** Commands: `--json`, `--csv`. Addresses: JSON, or `.csv`, `.ndjson`, `.atom` behind the name.',
      '**Rows.** `--limit N` of a command; `limit` and `cursor` of JSON, 1,000 by default and at most 10,000 at once.',
      '**Fields.** Names of columns, which the [data dictionary](data-dictionary.md) explains; headings in brackets.',
    ].map(item),
    ...parts.flat(),
  ]);
}

function page(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
