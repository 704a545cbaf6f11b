import { access, constants, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../app/config.ts';
import { HomeUnusable } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { regions } from '../../base/model/index.ts';
import { localDate } from '../../source/normalise/promotion-date.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';

/** Minimum for a first night of both regions with its archive and the log of PostgreSQL. */
const comfortableBytes = 5 * 2 ** 30;
const leastBytes = 512 * 2 ** 20;

/** Checks the data folder, the archive, disk space and time zones. */
export async function checkMachine({ home, archive }: Config): Promise<Diagnosis[]> {
  const diagnoses = [checkTimeZones()];
  try {
    makeFolder(home);
    diagnoses.push(await checkSpace(home));
    if (archive === 'off') {
      diagnoses.push(warning('archive', 'ARCHIVE is off: quarantined elements cannot be parsed again later'));
    } else {
      const folder = join(home, 'archive');
      makeFolder(folder);
      await access(folder, constants.W_OK);
      diagnoses.push(fine('archive', `${folder} is writable`));
    }
  } catch (error) {
    diagnoses.push(failure('data folder', HomeUnusable.of(home, error) ?? error));
  }
  return diagnoses;
}

async function checkSpace(folder: string): Promise<Diagnosis> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const says = `${(free / 2 ** 30).toFixed(1)} GiB free below ${folder}`;
  if (free < leastBytes) return failure('disk', new Error(`only ${says}: a night does not fit`));
  return free < comfortableBytes ? warning('disk', `${says}: room for a few nights only`) : fine('disk', says);
}

/** A Node build without full ICU data treats every zone as UTC. */
function checkTimeZones(): Diagnosis {
  const summerNight = new Date('2026-06-30T23:30:00Z');
  const wrong = Object.values(regions).filter(({ timeZone }) => localDate(summerNight, timeZone) !== '2026-07-01');
  if (wrong.length === 0) return fine('time zones', 'known');
  return failure('time zones', new Error(`Node does not know ${wrong.map(({ timeZone }) => timeZone).join(', ')}.`));
}
