import { createHash, randomBytes } from 'node:crypto';
import { constants, copyFile, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DestinationUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Destination, digestOfFile } from './destination.ts';

/** A local folder. Files survive a power failure once they have their final name. */
export function createFolder(root: string): Destination {
  const at = (path: string) => join(root, ...path.split('/'));

  /** Writes to a hidden temporary name first, which readers ignore. */
  async function putWhole(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
    const target = at(path);
    const unfinished = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
    makeFolder(dirname(target));
    try {
      await write(unfinished);
      await sync(unfinished);
      await rename(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await sync(dirname(target));
  }

  const read = async (path: string) => {
    const text = await orNull(readFile(at(path), 'utf8'));
    return text === null ? null : { text, version: createHash('sha256').update(text).digest('hex') };
  };

  const folder: Destination = {
    name: root,
    put: (path, { localPath }) =>
      putWhole(path, (unfinished) => copyFile(localPath, unfinished, constants.COPYFILE_EXCL)),
    digest: (path) => orNull(digestOfFile(at(path))),
    async list(path) {
      const entries = await orNull(readdir(at(path), { withFileTypes: true }));
      return (entries ?? []).filter((entry) => entry.isFile()).map(({ name }) => `${path}/${name}`);
    },
    remove: (path) => rm(at(path), { force: true }),
    readText: read,
    async writeText(path, text, version) {
      if ((await read(path))?.version !== (version ?? undefined)) return false;
      await putWhole(path, (unfinished) => writeFile(unfinished, text, { flag: 'wx' }));
      return true;
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
    digest: said(folder.digest),
    list: said(folder.list),
    remove: said(folder.remove),
    readText: said(folder.readText),
    writeText: said(folder.writeText),
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
