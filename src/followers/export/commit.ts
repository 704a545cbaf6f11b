import { DestinationUnavailable, ExportRefused } from '../../base/errors.ts';
import type { Destination } from './destination.ts';
import type { MadeFile } from './export-night.ts';
import {
  type ExportedNight,
  exportedNight,
  formatManifest,
  isOurs,
  isSameNight,
  type Manifest,
  manifestPath,
  type NightKey,
  parseManifest,
  partitionsOf,
  withNight,
  withoutNight,
} from './manifest.ts';

/** Whose nights are exported. */
export interface Book {
  /** The world the database is about. */
  readonly name: string;
  /** Tells the database from others of the same world; null while it is about none. */
  readonly database: string | null;
}

interface Place {
  readonly destination: Destination;
  readonly book: Book;
}

/** Others may be writing the manifest, too. */
const attempts = 10;

/**
 * Puts a night's files there and reads them back, then names them in the manifest, which is the moment from which the
 * night counts, then removes what the night had before.
 */
export async function commitNight(
  place: Place,
  night: ExportedNight,
  files: readonly MadeFile[],
  signal: AbortSignal,
): Promise<void> {
  // Before anything is put there: another book's place is left as it is.
  await readManifest(place, signal);
  for (const made of files) await putFile(place.destination, made, signal);
  await changeManifest(place, (manifest) => withNight(manifest, night), signal);
  await removeUnnamed(place.destination, night, night.files, signal);
}

/**
 * Takes a night that was certified out of the manifest, then removes its files. Cut off in between, the manifest says
 * that they are to be removed. A night that was exported as a partial one stays.
 */
export async function withdrawNight(place: Place, key: NightKey, signal: AbortSignal): Promise<void> {
  await changeManifest(
    place,
    (manifest) => {
      const isCertified = (exportedNight(manifest, key)?.certificate ?? 'partial') !== 'partial';
      return isCertified ? withoutNight(manifest, key, true) : manifest;
    },
    signal,
  );
  const left = (await readManifest(place, signal))?.manifest.withdrawn ?? [];
  if (!left.some((other) => isSameNight(other, key))) return;
  await removeUnnamed(place.destination, key, [], signal);
  await changeManifest(place, (manifest) => withoutNight(manifest, key), signal);
}

/** What lies there; null: nothing yet. Throws `ExportRefused` when it is another book's. */
export async function readManifest(
  { destination, book }: Place,
  signal: AbortSignal,
): Promise<{ readonly manifest: Manifest; readonly text: string; readonly version: string } | null> {
  const found = await destination.readText(manifestPath, signal);
  if (!found) return null;
  const manifest = parseManifest(found.text, destination.name);
  if (manifest.book !== book.name) {
    throw new ExportRefused(
      `${destination.name} holds nights of another book (${manifest.book}); this one is ${book.name}, and the two must not be mixed. Nothing was changed; export to another place.`,
    );
  }
  if (manifest.database !== undefined && book.database !== null && manifest.database !== book.database) {
    throw new ExportRefused(
      `${destination.name} holds nights of the same book from another database, or from before \`pricebook reset\`: its keys of products are others, and the two must not be mixed. Nothing was changed; export to another place, or empty this one to have all nights written anew.`,
    );
  }
  return { manifest, ...found };
}

async function putFile(destination: Destination, { localPath, file }: MadeFile, signal: AbortSignal): Promise<void> {
  const { path, bytes, sha256 } = file;
  const isThere = async () => {
    const there = await destination.digest(path, signal);
    return there?.sha256 === sha256 && there.bytes === bytes;
  };
  if (await isThere()) return;
  await destination.put(path, { localPath, bytes, sha256 }, signal);
  if (await isThere()) return;
  throw new DestinationUnavailable(destination.name, `${path} does not read back as it was written`);
}

/** Changes the manifest, if only to say which database it is of. */
export async function changeManifest(
  place: Place,
  change: (manifest: Manifest) => Manifest,
  signal: AbortSignal,
): Promise<void> {
  const { destination, book } = place;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = await readManifest(place, signal);
    const known = found?.manifest ?? { version: 1, book: book.name, nights: [] };
    const text = formatManifest(change(book.database === null ? known : { ...known, database: book.database }));
    if (found?.text === text) return;
    if (await destination.writeText(manifestPath, text, found?.version ?? null, signal)) return;
  }
  throw new DestinationUnavailable(destination.name, `others keep writing ${manifestPath}`);
}

/** What the night had before, and what an export that was killed left. */
async function removeUnnamed(
  destination: Destination,
  key: NightKey,
  files: ExportedNight['files'],
  signal: AbortSignal,
): Promise<void> {
  const named = new Set(files.map(({ path }) => path));
  for (const folder of partitionsOf(key)) {
    for (const path of await destination.list(folder, signal)) {
      if (!named.has(path) && isOurs(path, key.format)) await destination.remove(path, signal);
    }
  }
}
