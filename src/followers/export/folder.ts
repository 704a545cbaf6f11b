import { randomBytes } from 'node:crypto';
import { constants, copyFile, link, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DestinationUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Destination, digestOfFile } from './destination.ts';

/** A local folder. Files survive a power failure once they have their final name. */
export function createFolder(root: string): Destination {
  const at = (path: string) => join(root, ...path.split('/'));

  /** Writes to a hidden temporary name first, which readers ignore. */
  async function putWhole(
    path: string,
    write: (unfinished: string) => Promise<void>,
    finish: (unfinished: string, target: string) => Promise<void>,
  ): Promise<void> {
    const target = at(path);
    const unfinished = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
    makeFolder(dirname(target));
    try {
      await write(unfinished);
      await sync(unfinished);
      await finish(unfinished, target);
    } finally {
      await rm(unfinished, { force: true });
    }
    await sync(dirname(target));
  }

  const folder: Destination = {
    name: root,
    put: (path, { localPath }) =>
      putWhole(path, (unfinished) => copyFile(localPath, unfinished, constants.COPYFILE_EXCL), rename),
    download: async (path, localPath) => (await orNull(copyFile(at(path), localPath).then(() => true))) ?? false,
    digest: (path) => orNull(digestOfFile(at(path))),
    async list(path) {
      const entries = await orNull(readdir(at(path), { withFileTypes: true }));
      return (entries ?? []).filter((entry) => entry.isFile()).map(({ name }) => `${path}/${name}`);
    },
    remove: (path) => rm(at(path), { force: true }),
    readText: (path) => orNull(readFile(at(path), 'utf8')),
    async writeNew(path, text) {
      try {
        // Unlike a rename, a link fails if its name exists.
        await putWhole(path, (unfinished) => writeFile(unfinished, text, { flag: 'wx' }), link);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },
  };
  return refusing(folder);
}

/** Converts errors of the operating system. */
function refusing(folder: Destination): Destination {
  const said =
    <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await act(...args);
      } catch (error) {
        throw DestinationUnusable.of(folder.name, error) ?? error;
      }
    };
  return {
    name: folder.name,
    put: said(folder.put),
    download: said(folder.download),
    digest: said(folder.digest),
    list: said(folder.list),
    remove: said(folder.remove),
    readText: said(folder.readText),
    writeNew: said(folder.writeNew),
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

async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
