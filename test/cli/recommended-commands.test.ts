import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { migrateCommand } from '../../src/cli/listings/listing-words.ts';
import { verbs } from '../../src/cli/program.ts';
import { listings } from '../../src/source/listings/index.ts';
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
  const verb = verbs.find((known) => known.name === name);
  if (!verb) return `there is no command ${name}`;
  const command = new Command(name);
  (await verb.load()).declare(command);
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

describe('the command that moves a listing', () => {
  test.each(Object.values(listings).map((listing) => [listing.name, listing] as const))(
    'names the new host of %s unless the program knows it',
    (_, listing) => {
      const [current] = listing.hosts;
      for (const host of [...listing.hosts.flatMap((each) => [each.host, each.simulatorHost]), 'unknown.example']) {
        const isPlayed = listing.hosts.some(({ simulatorHost }) => simulatorHost === host);
        const target = isPlayed ? current?.simulatorHost : current?.host;
        const isKnown = target != null && target !== host;
        expect(migrateCommand(listing, host).endsWith(' --to HOST')).toBe(!isKnown);
      }
    },
  );
});
