import { DestinationUnavailable, ExportRefused } from '../errors.ts';
import type { Destination } from './destination.ts';
import type { MadeFile } from './export-night.ts';
import { isOurs, partitionsOf } from './layout.ts';
import {
  type ExportedNight,
  formatManifest,
  type Manifest,
  manifestPath,
  parseManifest,
  withNight,
} from './manifest.ts';

/** Others may be writing the manifest, too. */
const attempts = 10;

/**
 * Puts a night's files there and reads them back, then names them in the manifest, which is the moment from which the night
 * counts, then removes what the night had before.
 */
export async function commitNight(
  { destination, book }: { readonly destination: Destination; readonly book: string },
  night: ExportedNight,
  files: readonly MadeFile[],
  signal: AbortSignal,
): Promise<void> {
  // Before anything is put there: another book's place is left as it is.
  await readManifest(destination, book, signal);
  for (const made of files) await putFile(destination, made, signal);
  await nameInManifest(destination, book, night, signal);
  await removeUnnamed(destination, night, signal);
}

/** What lies there; null: nothing yet. Throws `ExportRefused` when it is another book's. */
export async function readManifest(
  destination: Destination,
  book: string,
  signal: AbortSignal,
): Promise<{ readonly manifest: Manifest; readonly text: string; readonly version: string } | null> {
  const found = await destination.readText(manifestPath, signal);
  if (!found) return null;
  const manifest = parseManifest(found.text, destination.name);
  if (manifest.book !== book) {
    throw new ExportRefused(
      `${destination.name} holds nights of another book (${manifest.book}); this one is ${book}, and the two must not be mixed. Nothing was changed; export to another place.`,
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

async function nameInManifest(
  destination: Destination,
  book: string,
  night: ExportedNight,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const found = await readManifest(destination, book, signal);
    const text = formatManifest(withNight(found?.manifest ?? { version: 1, book, nights: [] }, night));
    if (found?.text === text) return;
    if (await destination.writeText(manifestPath, text, found?.version ?? null, signal)) return;
  }
  throw new DestinationUnavailable(destination.name, `others keep writing ${manifestPath}`);
}

/** What the night had before, and what an export that was killed left. */
async function removeUnnamed(destination: Destination, night: ExportedNight, signal: AbortSignal): Promise<void> {
  const named = new Set(night.files.map(({ path }) => path));
  for (const folder of partitionsOf(night)) {
    for (const path of await destination.list(folder, signal)) {
      if (!named.has(path) && isOurs(path, night.format)) await destination.remove(path, signal);
    }
  }
}
