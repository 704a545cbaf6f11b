import { Command, type CommanderError } from 'commander';
import { createAsker } from '../../app/ask-saved-question.ts';
import { NothingFound, UsageInvalid } from '../../base/errors.ts';
import { addWatch, listWatches, removeWatch } from '../../followers/watches/watches.ts';
import { questionNamed } from '../../questions/index.ts';
import { readTyped } from '../../questions/question.ts';
import { watch } from '../../questions/watch.ts';
import { defineVerb, type Verb } from '../define-verb.ts';
import { formatOf, formats, writeRows } from '../output/rows.ts';
import { optionsOf, questionVerb, typedOptions } from '../question-verb.ts';
import { withBase } from '../with-base.ts';

const add = defineVerb<{ readonly operands: readonly [name: string, question: string, ...options: string[]] }>({
  declare: (command) =>
    void command
      .argument('<name>', 'a name of your own')
      .argument('<question>', 'a command that answers a question, such as changes')
      .argument('[options...]', 'options of that command')
      .allowUnknownOption(),

  async run({ operands: [name, asked, ...args] }, invocation) {
    const parameters = readOptions(asked, args);
    return withBase(invocation, async ({ db, clock, config }) => {
      await addWatch({ db, clock, ask: createAsker(db) }, { name, question: asked, parameters });
      const when = config.alerts === null ? 'once ALERT_URL is set' : 'after each certified night';
      invocation.console.say(`Watch ${name} added. New rows are sent ${when}.`);
    });
  },
});

const list = defineVerb({
  options: formats(),

  run: (options, invocation) =>
    withBase(invocation, async ({ db }) => {
      const watches = await listWatches(db);
      const written = await writeRows(invocation.console, formatOf(options), {
        columns: ['name', 'question', 'parameters', 'created_at', 'last_error'],
        table: [
          ['name', ({ name }) => name],
          ['question', ({ question: asked, parameters }) => [asked, ...words(parameters as object)].join(' ')],
          ['last error', ({ last_error }) => last_error],
        ],
        batches: [
          watches.map(({ createdAt, lastError, ...one }) => ({ ...one, created_at: createdAt, last_error: lastError })),
        ],
      });
      if (written === 0) invocation.console.say('There is no watch. `pricebook watch add NAME QUESTION` adds one.');
    }),
});

const remove = defineVerb<{ readonly operands: readonly [name: string] }>({
  declare: (command) => void command.argument('<name>', 'name of the watch'),

  run: ({ operands: [name] }, invocation) =>
    withBase(invocation, async ({ db }) => {
      if (!(await removeWatch(db, name))) throw new NothingFound(`There is no watch ${name}.`);
      invocation.console.say(`Watch ${name} removed.`);
    }),
});

/** Without a subcommand, shows the events of products. */
export const verb: Verb = {
  ...questionVerb(watch),
  parts: [
    { name: 'events', summary: `show ${watch.about}`, verb: questionVerb(watch) },
    { name: 'list', summary: 'list the watches', verb: list },
    { name: 'add', summary: 'send the new rows of a question after each certified night', verb: add },
    { name: 'remove', summary: 'remove a watch', verb: remove },
  ],
};

/** Options of a question as typed, without those that are not given. */
function readOptions(name: string, args: readonly string[]): Record<string, unknown> {
  const asked = questionNamed(name);
  if (!asked) throw new UsageInvalid(`There is no question ${name}; \`pricebook --help\` lists them as "show …".`);
  const options = optionsOf(asked);
  const command = new Command(name).exitOverride().configureOutput({ writeErr: () => undefined });
  for (const { option } of options) command.addOption(option);
  try {
    command.allowExcessArguments(false).parse([...args], { from: 'user' });
  } catch (error) {
    throw new UsageInvalid((error as CommanderError).message.replace(/^error: /, `${name}: `));
  }
  const typed = typedOptions(options, command.opts());
  readTyped(asked, typed);
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
}

const words = (parameters: object): string[] =>
  Object.entries(parameters).map(([parameter, value]) => `--${parameter.replaceAll('_', '-')} ${value}`);
