import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';

export type InWorkFolder = <Result>(use: (folder: string) => Promise<Result>) => Promise<Result>;

/**
 * Runs work in a folder for temporary files, which is empty before and gone afterwards. Within such work, the folder is
 * shared. At most one process of a database may use it.
 */
export function workFolderIn(home: string, databaseUrl: string): InWorkFolder {
  // Another user could plant links in a folder of his that lead root to any file.
  const isOfAnotherUser = process.getuid?.() === 0 && (statSync(home, { throwIfNoEntry: false })?.uid ?? 0) !== 0;
  // Several databases may share a data folder.
  const ofDatabase = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 16);
  const own = isOfAnotherUser ? null : join(home, 'export', ofDatabase);
  let open: string | null = null;
  return async (use) => {
    if (open !== null) return use(open);
    const folder = own ?? (await mkdtemp(join(tmpdir(), 'pricebook-export-')));
    try {
      if (own !== null) {
        await rm(own, { recursive: true, force: true });
        makeFolder(own);
      }
      open = folder;
      return await use(folder);
    } catch (error) {
      throw HomeUnusable.of(folder, error) ?? error;
    } finally {
      open = null;
      await rm(folder, { recursive: true, force: true });
    }
  };
}
