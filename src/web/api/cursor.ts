import { z } from 'zod';
import { NothingFound } from '../../base/errors.ts';
import { DateParameter } from '../../questions/parameters.ts';

const Position = z.strictObject({
  /** Version of the part of the book that the rows are of. */
  of: z.int(),
  /** Nights to which the rows are pinned. */
  nights: z.record(z.string(), DateParameter).optional(),
  after: z.record(z.string(), z.string()).optional(),
  offset: z.int().min(0).max(2_000_000_000).optional(),
});

/** Where a page begins. */
export type Position = z.output<typeof Position>;

export const CursorParameter = z
  .string()
  .max(1_000)
  .optional()
  .meta({ description: 'Where the page begins: copied from the answer before' });

export const noSuchPage = new NothingFound('There is no page with this cursor: copy it from the answer before.');

export const writeCursor = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** Throws `NothingFound` for a text that is not a cursor. */
export function readCursor(text: string): Position {
  try {
    return Position.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    throw noSuchPage;
  }
}
