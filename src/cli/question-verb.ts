import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { capital, count, plural } from '../base/format.ts';
import { regionCodes } from '../base/model/index.ts';
import { readBatches } from '../db/read-batches.ts';
import { columnsOf, headingOf, type Row, regionNames } from '../questions/columns.ts';
import { factsOf } from '../questions/product.ts';
import { type Ask, headOf, type Question, readTyped, settled, statementFor } from '../questions/question.ts';
import { sql } from '../questions/sql.ts';
import { defineVerb, type Verb } from './define-verb.ts';
import { nothingCrawled, sayNightsOwed } from './nights-owed.ts';
import { reads, wholeNumber } from './option-values.ts';
import { type FormatOptions, formatOf, formats, inWords, writeRows } from './output/rows.ts';
import { withBase } from './with-base.ts';

const rowsInTable = 20;

type Options = FormatOptions & { readonly limit?: number } & Row;

/** Command for a question. Options, table, `--csv` and `--json` derive from the question's definition. */
export function questionVerb(question: Question): Verb {
  const options = optionsOf(question);
  return defineVerb<Options>({
    options: formats(),
    declare(command: Command) {
      for (const { option } of options) command.addOption(option);
      const usual = question.isWhole ? 'all' : `${rowsInTable} in a table, otherwise all`;
      const which = question.isInTime ? ', the newest' : '';
      command.option('--limit <n>', `maximum number of rows${which} (default: ${usual})`, wholeNumber(1));
    },

    run(given, invocation) {
      const { console } = invocation;
      const read = readTyped(question, typedOptions(options, given));
      return withBase(invocation, async ({ db }) => {
        const ask: Ask = (statement) => db.query(statement.text, statement.values);
        const { region, product } = read;
        const shape = formatOf(given);
        const limit = given.limit ?? (question.isWhole || shape !== 'table' ? null : rowsInTable);
        const parameters = await settled(question, read, ask);
        const rows = question.rows(parameters, { limit: null });
        const countAll = async () =>
          (await ask(sql`select count(*)::int as all from (${rows}) as asked`)).rows[0]!['all'] as number;
        const offset = question.isInTime && limit !== null ? Math.max(0, (await countAll()) - limit) : 0;
        const statement = statementFor(question, parameters, { limit, offset });
        // The region of a basket is that of its ids.
        const named = region && question.name !== 'basket' ? [region].flat().map((each) => regionNames[each]) : [];
        const columns = columnsOf(question, ...question.table(parameters));
        const written = await writeRows(console, shape, {
          columns: question.columns.map((column) => column.name),
          table: inWords(columns.filter(({ name }) => name !== 'region' || named.length !== 1)),
          head: headOf(question, parameters),
          batches: readBatches(db, statement.text, statement.values),
        });
        const isOwed = question.isDerived && (await sayNightsOwed(db, console, region ? [region].flat() : regionCodes));
        if (written === 0) {
          if (!isOwed) console.say((await nothingCrawled(db)) ?? (await question.none(parameters, ask)));
          return;
        }
        if (shape === 'table') {
          const all = written === limit ? await countAll() : written;
          const [titled] = product && region ? (await ask(factsOf(region, product))).rows : [];
          const about = titled ? question.about.replace('a product', String(titled['title'])) : question.about;
          const some = all > written ? `${count(written)} of ` : '';
          console.say(`${capital([...named, about].join(', '))}: ${some}${plural(all, 'row')}.`);
          if (some) console.say('--limit N shows more, --csv and --json show all.');
          if (columns.some((column) => headingOf(column).startsWith('±')))
            console.say('±: two standard errors, unknown if empty. A change within them may be chance.');
        }
        for (const note of (await question.notes?.(parameters, ask, rows)) ?? []) console.say(note);
      });
    },
  });
}

export const optionsOf = ({ parameters }: Question) =>
  Object.entries(parameters.shape).map(([parameter, value]) => ({
    parameter,
    option: optionOf(parameter, value as z.ZodType),
  }));

/** Values by parameter as typed. */
export const typedOptions = (options: ReturnType<typeof optionsOf>, given: Row): Row =>
  Object.fromEntries(options.map(({ parameter, option }) => [parameter, given[option.attributeName()]]));

/** Option of a parameter. Values stay strings here and are parsed together later. */
function optionOf(parameter: string, schema: z.ZodType): Option {
  const { description = '' } = schema;
  const absent = schema.safeParse(undefined);
  const long = `--${parameter.replaceAll('_', '-')}`;
  const option = new Option(`${long} <${parameter.split('_').at(-1)}>`, description).makeOptionMandatory(
    !absent.success,
  );
  const read = reads(schema);
  const check = (text: string) => {
    read(text);
    return text;
  };
  return option.argParser(
    Array.isArray(absent.data) ? (text, before) => [before, check(text)].filter(Boolean).join() : (text) => check(text),
  );
}
