import { join } from 'node:path';
import { openDatabase } from '../../app/compose.ts';
import { createFileArchive } from '../../crawl/archive/file-archive.ts';
import { createPayloadIndex } from '../../crawl/ledger/payloads.ts';
import type { Database } from '../../db/client.ts';
import { readPending } from '../../db/migrate.ts';
import { checkArchive } from '../../followers/audits/invariants/check-archive.ts';
import { checkInvariants, type Violation } from '../../followers/audits/invariants/check-invariants.ts';
import { using } from '../closing.ts';
import type { Invocation } from '../define-verb.ts';
import { count } from '../output/words.ts';
import { type Diagnosis, failure, fine, warning } from './diagnosis.ts';

interface DataOptions {
  /** Number of archived payloads to read again, chosen at random; 0: none. */
  readonly sample: number;
}

/** Checks all invariants of the database and the archive. Read-only, without upstream requests. */
export async function checkData(invocation: Invocation, { sample }: DataOptions): Promise<Diagnosis[]> {
  try {
    return await using(
      openDatabase(invocation.config, { log: invocation.log, name: 'doctor' }),
      async ({ db, config }) => {
        if ((await readPending(db)).isNew) {
          return [failure('schema', new Error('The schema does not exist yet; run `pricebook migrate` first.'))];
        }
        const { checked, violations } = await checkInvariants(db);
        const diagnoses = violations.map(asDiagnosis);
        if (diagnoses.length === 0) diagnoses.push(fine('data', `all ${checked} invariants hold`));
        if (sample > 0 && config.archive === 'file') diagnoses.push(...(await readAgain(config.home, db, sample)));
        return diagnoses;
      },
    );
  } catch (error) {
    return [failure('database', error)];
  }
}

function asDiagnosis({ group, says, isAtRest, found, samples }: Violation): Diagnosis {
  const what = `violated: ${says}; ${count(found)} ${found === 1 ? 'violation' : 'violations'}, such as ${samples[0]}`;
  return isAtRest
    ? warning(group, `${what} (a run is open or was killed; the next crawl continues it)`)
    : failure(group, new Error(what));
}

async function readAgain(home: string, db: Database, sample: number): Promise<Diagnosis[]> {
  const archive = createFileArchive({ root: join(home, 'archive'), index: createPayloadIndex(db) });
  try {
    const { checked, damaged } = await checkArchive(db, archive, sample);
    if (damaged.length > 0) return damaged.map((line) => failure('archive', new Error(line)));
    return [
      fine('archive', `${count(checked)} ${checked === 1 ? 'payload' : 'payloads'} read again, all hashes match`),
    ];
  } finally {
    await archive.close();
  }
}
