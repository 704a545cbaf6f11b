import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { describe, expect, it } from 'vitest';
import * as tables from '../../src/db/tables/index.ts';
import { filesBelow, readText } from './source-files.ts';

interface Journal {
  readonly entries: readonly { readonly idx: number; readonly when: number; readonly tag: string }[];
}

describe('migrations', () => {
  const { entries } = JSON.parse(readText('migrations/meta/_journal.json')) as Journal;

  it('stand in the journal, each with its file, in the order they were made', () => {
    const files = filesBelow('migrations', '.sql').map(({ path }) => path);
    expect(files).toEqual(entries.map(({ tag }) => `migrations/${tag}.sql`));
    for (const [index, { idx, when, tag }] of entries.entries()) {
      expect(idx).toBe(index);
      expect(tag).toMatch(new RegExp(`^${String(index).padStart(4, '0')}_`));
      // drizzle applies what is newer than the newest applied: a date out of order would be skipped for ever
      expect(when).toBeGreaterThan(entries[index - 1]?.when ?? 0);
    }
  });

  it('make exactly the tables that src/db/tables declares', async () => {
    const last = entries.at(-1)!.tag.slice(0, 4);
    const made = JSON.parse(readText(`migrations/meta/${last}_snapshot.json`));
    const declared = generateDrizzleJson(tables as Record<string, unknown>, made.id, undefined, 'snake_case');
    expect(await generateMigration(made, declared)).toEqual([]);
  });
});
