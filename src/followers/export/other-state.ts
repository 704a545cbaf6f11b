import { ExportRefused } from '../../base/errors.ts';
import type { ExportedNight, Manifest } from './manifest.ts';
import type { Night } from './nights.ts';

/**
 * Throws `ExportRefused` if the destination has a night that this database never had: a copy of the database exports
 * there, or this database was restored from a backup. In both cases keys of runs and products were assigned twice. Call
 * with nights read after the manifest, while no other export of this database runs.
 */
export function refuseOtherState(manifest: Manifest | null, nights: readonly Night[], where: string): void {
  const known = new Map(nights.map((night) => [`${night.region} ${night.snapshotDate}`, night]));
  const other = manifest?.nights.find((exported) => {
    const night = known.get(`${exported.region} ${exported.snapshot_date}`);
    return !night || isOther(exported, night);
  });
  if (!other) return;
  const { region, snapshot_date: date, run_id: run } = other;
  throw new ExportRefused(
    `${where} holds the night of ${region} ${date} (run ${run}) as this database never had it: ` +
      'a copy of the database exports there, or this one was restored from a backup. ' +
      'The two must not be mixed, their keys of runs and products are not the same. Nothing was changed; ' +
      'export to another place, or empty this one to have all nights written anew.',
  );
}

/** A night's change key only increases. */
function isOther({ change_seq: changeSeq }: ExportedNight, night: Night): boolean {
  return changeSeq !== undefined && night.changeSeq !== null && changeSeq > night.changeSeq;
}
