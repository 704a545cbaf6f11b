import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { stopServer } from './lease.ts';
import { findPlaceFolder, preparePlace, removeNote } from './place.ts';

/**
 * Stops the embedded server of a home and deletes its data. Does nothing when there is none.
 * Throws `EmbeddedServerFailed` while other commands use it.
 */
export async function removeEmbedded(home: string): Promise<void> {
  if (!findPlaceFolder(home)) return;
  const place = preparePlace(home);
  await stopServer(place);
  // Renamed first: a command that starts meanwhile finds all of it or nothing.
  const doomed = `${place.folder}.${randomUUID()}`;
  renameSync(place.folder, doomed);
  rmSync(doomed, { recursive: true, force: true });
  removeNote(home);
}
