import { type Dirent, existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';

/** Folders in which the program makes folders; `demo` is a data folder of its own. */
const inHome = ['', 'archive', 'export', 'demo', 'demo/archive', 'demo/export'];

/**
 * Throws `HomeUnusable` if a data folder could lead the program to files elsewhere: through a link in it, or, for root,
 * because another user may put one there or replace a folder above it. What passes stays so: only root may change it.
 */
export function checkHome(home: string): void {
  const refuse = (why: string): never => {
    throw new HomeUnusable(`The data folder ${home} cannot be used: ${why}. Set PRICEBOOK_HOME to another folder.`);
  };
  const unsafe = process.getuid?.() === 0 ? openToOthers(home) : null;
  if (unsafe) refuse(`root would follow links that other users may put at ${unsafe}`);
  for (const folder of inHome.map((name) => join(home, name)))
    for (const entry of entriesIn(folder))
      if (entry.isSymbolicLink()) refuse(`${join(folder, entry.name)} is a link: put a folder or a mount in its place`);
}

/** None for what is no folder, or cannot be read: whoever uses it says so. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * First folder or link on the way to a path that another user than root owns or may replace; null: none. In a folder
 * such as /tmp, where everybody may write but replace only what is theirs, the next folder is made to be root's.
 */
function openToOthers(path: string): string | null {
  const names = path.split('/').filter(Boolean);
  let at = '/';
  for (let steps = 0; steps < 300; steps++) {
    const { uid, gid, mode } = lstatSync(at);
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
    const name = names.shift();
    if (uid !== 0 || (isOpen && (name === undefined || (mode & 0o1000) === 0))) return at;
    if (name === undefined) return null;
    const next = join(at, name);
    if (isOpen && !existsSync(next)) makeFolder(next);
    const entry = lstatSync(next, { throwIfNoEntry: false });
    if (!entry) return null;
    if (entry.isFile()) return entry.uid === 0 ? null : next;
    if (!entry.isSymbolicLink()) at = next;
    else if (entry.uid !== 0) return next;
    else {
      const target = readlinkSync(next);
      names.unshift(...target.split('/').filter(Boolean));
      if (target.startsWith('/')) at = '/';
    }
  }
  return path;
}
