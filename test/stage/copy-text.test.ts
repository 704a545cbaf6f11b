import fc from 'fast-check';
import { from as copyFrom } from 'pg-copy-streams';
import { describe, expect, test } from 'vitest';
import { type CopyValue, copyRow } from '../../src/crawl/stage/copy-text.ts';
import { useDatabase } from '../support/database.ts';

describe('a row in COPY text format', () => {
  const database = useDatabase();

  test('PostgreSQL reads a row in COPY format as it was written, whatever its texts are', async () => {
    // What PostgreSQL can hold: no NUL, no half characters; the normalisers see to that.
    const storable = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\u0000', ''));
    const awkward = fc.constantFrom('\\N', '\\.', '\\', '\t', '\n', '\r\n', '', '\\t', 'a\\', '{}', '"', 'N', '\u2028');
    const row = fc.record({
      one: fc.option(fc.oneof(storable, awkward)),
      two: fc.option(fc.oneof(storable, awkward)),
      number: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      flag: fc.option(fc.boolean()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        const copied = await copy(rows.map(({ one, two, number, flag }) => [one, two, number, flag]));
        expect(copied).toEqual(rows);
      }),
      { numRuns: 20 },
    );
  });

  /** Copies rows into a table of their own and reads them back in order. */
  function copy(rows: readonly (readonly CopyValue[])[]) {
    return database.db.tx(async (tx) => {
      await tx.query(
        'create temporary table copied (at serial, one text, two text, number int, flag bool) on commit drop',
      );
      const stream = tx.client.query(copyFrom('copy copied (one, two, number, flag) from stdin'));
      await new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve);
        stream.on('error', reject);
        stream.end(rows.map(copyRow).join(''));
      });
      const { rows: read } = await tx.query('select one, two, number, flag from copied order by at');
      return read;
    });
  }
});
