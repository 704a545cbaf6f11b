import { createExporter, type Exporter } from '../../followers/export/exporter.ts';
import { openDestination } from '../../followers/export/open-destination.ts';
import type { Base } from './data.ts';

/** What writes nights as files to a folder or a bucket; null: nowhere. */
export function composeExporter(
  { config, clock, log, db }: Pick<Base, 'config' | 'clock' | 'log' | 'db'>,
  to: string | null,
): Exporter | null {
  if (to === null) return null;
  return createExporter({ db, clock, log, home: config.home, destination: openDestination(to, config.bucketAccess) });
}
