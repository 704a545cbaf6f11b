import { z } from 'zod';
import { NothingFound } from '../../base/errors.ts';
import { codeOf } from '../../db/connection-error.ts';
import { DateParameter, wholeNumber } from '../../questions/parameters.ts';
import { headOf, type Question, statementOf } from '../../questions/question.ts';
import type { Reader } from '../reader.ts';
import { readBookState } from './book-state.ts';
import { BookChanged } from './failure.ts';

export const Limit = wholeNumber(1, 10_000).default(1_000).meta({ description: 'Maximum number of rows' });

const Position = z.strictObject({
  /** Version of the part of the book that the rows are of. */
  of: z.int(),
  /** Nights to which the rows are pinned. */
  nights: z.record(z.string(), DateParameter).optional(),
  after: z.record(z.string(), z.string()).optional(),
  offset: z.int().min(0).max(2_000_000_000).optional(),
});

/** Where a page begins. */
type Position = z.output<typeof Position>;

export const CursorParameter = z
  .string()
  .max(1_000)
  .optional()
  .meta({ description: 'Where the page begins: copied from the answer before' });

const noSuchPage = new NothingFound('There is no page with this cursor: copy it from the answer before.');

const writeCursor = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** Throws `NothingFound` for a text that is not a cursor. */
function readCursor(text: string): Position {
  try {
    return Position.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw noSuchPage;
  }
}

/**
 * A page of the rows of a question. The pages of a walk are of one state: a question that can be pinned to its nights
 * ignores later ones; otherwise the next page is refused once the book has changed.
 */
export function answerQuestion(
  question: Question,
  { limit, cursor, ...given }: Record<string, unknown>,
  reader: Reader,
) {
  const at = cursor === undefined ? undefined : readCursor(String(cursor));
  return reader.inOneSnapshot(async (ask) => {
    const book = await readBookState(ask, at?.nights);
    const of = question.pin && !question.isDerived ? book.written : book.version;
    if (at !== undefined && at.of !== of)
      throw new BookChanged(
        'The nights of this walk have changed since its first page. Begin again without the cursor, or read the ' +
          'whole table of one state: add .ndjson to the path.',
      );
    const most = Number(limit);
    const part = { limit: most, offset: at?.offset, after: at?.after };
    const { sql, parameters } = await statementOf(question, given, part, ask, at?.nights);
    const { rows } = await ask(sql).catch((error) => {
      // Data exceptions: a cursor that no answer has had.
      throw at && codeOf(error)?.startsWith('22') ? noSuchPage : error;
    });
    const position = question.isWalkedByKey
      ? { after: JSON.parse(JSON.stringify(rows.at(-1) ?? {}, [...question.key])) }
      : { offset: (at?.offset ?? 0) + most };
    const nights = question.pin && { nights: book.nights };
    return {
      book: { version: book.version, nights: book.nights },
      parameters: { ...headOf(question, parameters), limit },
      rows,
      sql,
      next: rows.length < most ? null : writeCursor({ of, ...nights, ...position }),
    };
  });
}
