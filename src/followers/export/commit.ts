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

/** Identity of the exported database. */
export interface Book {
  /** World of the database. */
  readonly name: string;
  /** Distinguishes databases of the same world; null while the database has no world. */
  readonly database: string | null;
}

interface Place {
  readonly destination: Destination;
  readonly book: Book;
}

/** Maximum attempts for concurrent writes of the manifest. */
const attempts = 10;

/**
 * Uploads and verifies a night's files, then adds them to the manifest, which makes the night visible, and finally
 * deletes its earlier files.
 */
export async function commitNight(
  place: Place,
  night: ExportedNight,
  files: readonly MadeFile[],
  signal: AbortSignal,
): Promise<void> {
  // Checked first, so that the files of another database stay untouched.
  await readManifest(place, signal);
  for (const made of files) await putFile(place.destination, made, signal);
  await changeManifest(place, (manifest) => withNight(manifest, night), signal);
  await removeUnnamed(place.destination, night, night.files, signal);
}

/**
 * Removes a formerly certified night from the manifest, then deletes its files. After an interruption the manifest
 * still lists them for deletion. Nights exported as partial stay.
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

/** Current manifest; null: none. Throws `ExportRefused` if it belongs to another database. */
export async function readManifest(
  { destination, book }: Place,
  signal: AbortSignal,
): Promise<{ readonly manifest: Manifest; readonly text: string; readonly version: string } | null> {
  const found = await destination.readText(manifestPath, signal);
  if (!found) return null;
  const manifest = parseManifest(found.text, destination.name);
  if (manifest.book !== book.name) {
    throw new ExportRefused(
      `${destination.name} contains nights of another database (${manifest.book}). ` +
        `This one is ${book.name}, and the two must not be mixed. Nothing was changed; export to another place.`,
    );
  }
  if (manifest.database !== undefined && book.database !== null && manifest.database !== book.database) {
    throw new ExportRefused(
      `${destination.name} holds nights of the same book from another database, or from before \`pricebook reset\`: ` +
        'its keys of products are others, and the two must not be mixed. Nothing was changed; ' +
        'export to another place, or empty this one to have all nights written anew.',
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

/** Changes the manifest, at least to record its database. */
async function changeManifest(
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
  throw new DestinationUnavailable(destination.name, `other exports keep changing ${manifestPath}`);
}

/** Deletes a night's earlier files and those of killed exports. */
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
