import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder with the migrations as they were before one of them, by the end of its name; gone after the tests of the file. */
export function migrationsBefore(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pricebook-before-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  cpSync('migrations', folder, { recursive: true });
  const path = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag.endsWith(name));
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  return folder;
}
