import { describe, expect, it } from 'vitest';
import { argumentsOf, commandsOf, sqlBlocksOf } from './examples.ts';
import { usePlayedBook } from './played-book.ts';

/** Commands that create the data, start an interactive program, or need a key. */
const notRun = new RegExp(
  [
    '^npm (install|start|test)( |$)',
    '^npm run --silent pricebook -- (doctor|plan --region uk|crawl --region uk)$',
    '^psql "\\$\\(',
  ].join('|'),
);

const book = usePlayedBook();

describe.each(['README.md', 'docs/start/tutorial.md'])('%s', (page) => {
  it.each(sqlBlocksOf(page).map(({ name, statement }): [string, string] => [name, statement]))(
    'the statement returns rows: %s',
    async (_, statement) => {
      const rows = await book.ask(statement);
      expect(rows.length).toBeGreaterThan(0);
      const unknown = Object.keys(rows[0]!).filter((column) => rows.every((row) => row[column] === null));
      // Most products have none.
      expect(unknown.filter((column) => column !== 'loyalty_price')).toEqual([]);
    },
  );

  it.each(commandsOf(page).filter((command) => !notRun.test(command)))(
    'the command has output: %s',
    async (command) => {
      const args = argumentsOf(command);
      expect(args).not.toBeNull();
      const { code, stdout, stderr } = await book.run(args!);
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.trim().split('\n').length).toBeGreaterThan(2);
    },
  );

  it('the pages contain statements and commands to run', () => {
    expect(sqlBlocksOf(page)).not.toEqual([]);
    expect(commandsOf(page).filter((command) => !notRun.test(command))).not.toEqual([]);
  });
});
