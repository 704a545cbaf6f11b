import { Command } from 'commander';
import { expect, test } from 'vitest';
import { declareIn } from '../../src/cli/define-verb.ts';
import { verbs } from '../../src/cli/program.ts';
import { filesBelow } from '../house/source-files.ts';

/** Commands that messages of the program name, with their places; values that are filled in are left out. */
const recommended = [...filesBelow('src'), ...filesBelow('jobs')].flatMap(({ path, text }) =>
  [...text.matchAll(/`pricebook (?!key of)([a-z][^`]*?)\\?`/g)].map(([, command]): [string, string] => [
    command!.replaceAll(/\$\{[^}]*\}/g, '…'),
    path,
  ]),
);

/** What a command's parser refuses; null: nothing. */
async function refusedIn(line: string): Promise<string | null> {
  const [name, ...words] = line.split(' ');
  const entry = verbs.find((known) => known.name === name);
  if (!entry) return `there is no command ${name}`;
  const command = new Command(name);
  const verb = await entry.load();
  declareIn(command, verb.parts?.find((part) => part.name === words[0])?.verb ?? verb);
  const known = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  return words.find((word) => word.startsWith('-') && !known.has(word)) ?? null;
}

test('every command that a message names exists, with the options it names', async () => {
  expect(recommended.length).toBeGreaterThan(60);
  const refused: string[] = [];
  for (const [line, path] of recommended) {
    const why = await refusedIn(line);
    if (why !== null) refused.push(`${path}: pricebook ${line}: ${why}`);
  }
  expect(refused).toEqual([]);
});
