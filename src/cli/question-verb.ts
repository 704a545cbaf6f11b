import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { compose } from '../app/compose.ts';
import { NothingFound } from '../base/errors.ts';
import { regionCodes } from '../base/model/index.ts';
import { readBatches } from '../db/read-batches.ts';
import { unknownProduct } from '../questions/named-product.ts';
import {
  type Ask,
  type Column,
  checkParameters,
  columnsOf,
  headingOf,
  headOf,
  type Parameters,
  type Question,
  type Row,
  statementOf,
} from '../questions/question.ts';
import { using } from './closing.ts';
import { defineVerb, type Verb } from './define-verb.ts';
import { sayNightsOwed } from './nights-owed.ts';
import { reads, wholeNumber } from './option-values.ts';
import { amount, share } from './output/amounts.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from './output/rows.ts';

/** Default number of rows in a table. */
const rowsInTable = 20;

type Options = FormatOptions & { readonly limit?: number } & Row;

/** Command for a question. Options, table, `--csv` and `--json` derive from the question's definition. */
export function questionVerb(name: string, question: Question): Verb {
  const { parameters: schema } = question;
  const options = Object.entries(schema.shape).map(([parameter, value]) => ({
    parameter,
    option: optionOf(parameter, value as z.ZodType),
  }));
  return defineVerb<Options>({
    declare(command: Command) {
      for (const { option } of options) command.addOption(option);
      const limit = `maximum number of rows (default: ${rowsInTable} in a table, otherwise all)`;
      if (!question.isWhole) command.option('--limit <n>', limit, wholeNumber(1));
      declareFormats(command);
    },

    run(given, { config, clock, log, console }) {
      const typed = options.map(({ parameter, option }) => [parameter, given[option.attributeName()]]);
      const read = checkParameters(schema.parse(Object.fromEntries(typed)) as Parameters);
      return using(compose(config, { clock, log, name }), async ({ db }) => {
        const ask: Ask = (statement) => db.query(statement.text, statement.asked);
        const { region, product } = read;
        const unknown = product === undefined ? null : await unknownProduct(ask, region, product);
        if (unknown !== null) throw new NothingFound(unknown);
        const format = formatOf(given);
        const limit = given.limit ?? (question.isWhole || format !== 'table' ? null : rowsInTable);
        const { parameters, sql } = await statementOf(question, read, { limit }, ask);
        const written = await writeRows(console, format, {
          columns: question.columns.map((column) => column.name),
          table: Object.fromEntries(
            columnsOf(question, ...question.table(parameters)).map((column) => [
              headingOf(column).toLowerCase(),
              (row: Row) => cellOf(row, column),
            ]),
          ),
          head: headOf(question, parameters),
          batches: readBatches(db, sql.text, sql.asked),
        });
        const isOwed = question.isDerived && (await sayNightsOwed(db, console, region ? [region].flat() : regionCodes));
        if (written === 0) {
          if (!isOwed) console.say(await question.none(parameters, ask));
          return;
        }
        for (const note of (await question.notes?.(parameters, ask)) ?? []) console.say(note);
        if (given.limit === undefined && limit !== null && written >= limit)
          console.say('There may be more: --limit N shows more, --csv and --json show all.');
      });
    },
  });
}

/** Option of a parameter. Values stay strings here and are parsed together later. */
function optionOf(parameter: string, schema: z.ZodType): Option {
  const { description = '' } = schema;
  const absent = schema.safeParse(undefined);
  const long = `--${parameter.replaceAll('_', '-')}`;
  if (absent.data === false) return new Option(long, description).preset('yes');
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

/** Formats a cell of a terminal table. */
function cellOf(row: Row, { name, as, currency = 'currency', or, decimals }: Column): unknown {
  if (row[name] === null) return or === undefined ? null : row[or];
  const value = decimals === undefined ? row[name] : Number(row[name]).toFixed(decimals);
  switch (as) {
    case 'money':
      return amount(value, row[currency]);
    case 'percent':
      return share(value);
    case 'yes-no':
      return value ? 'yes' : 'no';
    default:
      return value;
  }
}
