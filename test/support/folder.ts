import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder for the tests of a file or a group, which is removed after everything that was opened later. */
export function useFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pricebook-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
