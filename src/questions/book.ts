import type { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import { type QuestionName, type QuestionNamed, questions } from './index.ts';
import { faultOf } from './parameters.ts';
import { type Question, type RowOf, statementOf } from './question.ts';
import { openReader } from './reader.ts';

export type { QuestionName } from './index.ts';

/** Parameters of a question, as in the reference of questions. */
export type QuestionParameters<Name extends QuestionName> = z.input<QuestionNamed<Name>['parameters']>;

/** A row of a question. Exact decimals are strings, dates are `YYYY-MM-DD`, null is unknown. */
export type QuestionRow<Name extends QuestionName> = RowOf<QuestionNamed<Name>>;

/** Read-only access to the questions. */
export interface Book {
  /**
   * All rows of a question, from one state of the book. Throws an error with one line for parameters that are invalid
   * or name something that does not exist.
   */
  ask<Name extends QuestionName>(
    name: Name,
    parameters: QuestionParameters<Name>,
  ): AsyncGenerator<QuestionRow<Name>, void>;
  /** The catalogue of a region after the night of a date (`YYYY-MM-DD`), or after the last night. */
  asOf(region: 'uk' | 'ie', date?: string): AsyncGenerator<QuestionRow<'asof'>, void>;
  close(): Promise<void>;
}

export interface BookOptions {
  /** As `pricebook config --database-url` prints it. */
  readonly databaseUrl: string;
}

/** Opens a book for reading, with the role `bi_reader` if the user of the URL may switch to it. */
export async function openBook({ databaseUrl }: BookOptions): Promise<Book> {
  const reader = await openReader({ databaseUrl, onOwnRights: () => undefined });
  async function* ask<Name extends QuestionName>(name: Name, given: QuestionParameters<Name>) {
    const question = await questions.find((entry) => entry.name === name)?.load();
    if (question === undefined) throw new UsageInvalid(`There is no question “${name}”.`);
    const { sql } = await statementOf(question, parsed(question, given), { limit: null }, reader.ask);
    for await (const rows of reader.batches(sql, async () => undefined)) yield* rows as QuestionRow<Name>[];
  }
  return {
    ask,
    asOf: (region, date) => ask('asof', { region, date }),
    close: () => reader.close(),
  };
}

function parsed(question: Question, given: unknown) {
  const { data, error } = question.parameters.safeParse(given);
  if (data !== undefined) return data;
  const issue = error!.issues[0]!;
  throw new UsageInvalid(`“${issue.path.join('.')}” ${faultOf(issue)}.`);
}
