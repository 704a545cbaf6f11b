import { NothingFound } from '../base/errors.ts';
import type { Database } from '../db/client.ts';
import type { Row } from './columns.ts';
import { questionNamed } from './index.ts';
import { checkProducts } from './named.ts';
import { type Ask, checkParameters, type Parameters, type Question, statementOf } from './question.ts';

/** Parses options as typed and returns those that were given. Throws `ZodError` or `UsageInvalid`. */
export function readTyped(question: Question, typed: Row): Parameters {
  return checkParameters(question.parameters.parse(typed) as Parameters);
}

/** Answers a question by name for options as typed: rows with their key and a line of text. */
export function createAsker(db: Pick<Database, 'query'>) {
  return async (name: string, typed: Row, limit: number) => {
    const question = questionNamed(name);
    if (!question) throw new NothingFound(`There is no question ${name}.`);
    const given = readTyped(question, typed);
    const ask: Ask = (statement) => db.query(statement.text, statement.values);
    if (given.product !== undefined) await checkProducts(ask, given.region, given.product);
    const { parameters, sql } = await statementOf(question, given, { limit }, ask);
    const { rows } = await ask(sql);
    const shown = question.table(parameters);
    return rows.map((row) => ({
      key: question.key.map((column) => row[column]),
      line: shown.flatMap((column) => row[column] ?? []).join(', '),
      row,
    }));
  };
}
