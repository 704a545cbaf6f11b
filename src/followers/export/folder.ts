import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DestinationUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Destination, digestOfFile } from './destination.ts';

/** A local folder. Files survive a power failure once they have their final name. */
export function createFolder(root: string): Destination {
  const at = (path: string) => join(root, ...path.split('/'));
  const failureOf = (error: unknown) => DestinationUnusable.of(root, error) ?? error;

  /** Writes to a hidden temporary name first, which readers ignore. False: `finish` found the name taken. */
  async function putWhole(
    path: string,
    write: (unfinished: string) => Promise<void>,
    finish: typeof rename,
  ): Promise<boolean> {
    const target = at(path);
    const unfinished = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
    try {
      makeFolder(dirname(target));
      await write(unfinished);
      await sync(unfinished);
      await finish(unfinished, target);
      await sync(dirname(target));
      return true;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && syscall === 'link') return false;
      throw failureOf(error);
    } finally {
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
  }

  /** Null: the file does not exist. */
  async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
    try {
      return await reading;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw failureOf(error);
    }
  }

  return {
    name: root,
    async put(path, localPath) {
      await putWhole(path, (unfinished) => copyFile(localPath, unfinished, constants.COPYFILE_EXCL), rename);
    },
    download: async (path, localPath) => (await orNull(copyFile(at(path), localPath).then(() => true))) ?? false,
    digest: (path) => orNull(digestOfFile(at(path))),
    remove: async (path) => void (await orNull(rm(at(path)))),
    readText: (path) => orNull(readFile(at(path), 'utf8')),
    // Unlike a rename, a link fails if its name exists.
    writeNew: (path, text) => putWhole(path, (unfinished) => writeFile(unfinished, text, { flag: 'wx' }), link),
  };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
