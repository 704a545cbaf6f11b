import { NothingFound } from '../base/errors.ts';
import type { Database } from '../db/client.ts';
import type { Row } from '../questions/columns.ts';
import { questionNamed } from '../questions/index.ts';
import { type Ask, readTyped, statementOf } from '../questions/question.ts';

/** Answers a question by name for options as typed: rows with their key and a line of text. */
export function createAsker(db: Pick<Database, 'query'>) {
  return async (name: string, typed: Row, limit: number) => {
    const question = questionNamed(name);
    if (!question) throw new NothingFound(`There is no question ${name}.`);
    const given = readTyped(question, typed);
    const ask: Ask = (statement) => db.query(statement.text, statement.values);
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
