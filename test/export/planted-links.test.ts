import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { exporterTo, fillCertifiedNights } from './lake.ts';
import { nightsIn } from './read-lake.ts';

/** `nobody` on Linux. */
const nobody = 65534;

describe.runIf(process.getuid?.() === 0)('root that exports from a data folder of another user (needs root)', () => {
  const database = useDatabase();
  const root = useFolder('planted');

  it('leaves alone the files to which a planted link leads, and exports', async () => {
    await fillCertifiedNights(database.db);
    const [home, victim] = [join(root, 'home'), join(root, 'victim')];
    // Where an export would work, if the link were followed.
    const worked = createHash('sha256').update(database.db.url).digest('hex').slice(0, 16);
    mkdirSync(home);
    chownSync(home, nobody, nobody);
    mkdirSync(join(victim, worked), { recursive: true });
    writeFileSync(join(victim, worked, 'precious'), 'kept');
    symlinkSync(victim, join(home, 'export'));

    const lake = join(root, 'lake');
    await exporterTo(database.db, { lake, home }).exportOwed(new AbortController().signal);
    expect(nightsIn(lake).length).toBeGreaterThan(3);
    expect(readFileSync(join(victim, worked, 'precious'), 'utf8')).toBe('kept');
    expect(readdirSync(join(victim, worked))).toEqual(['precious']);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('pricebook-export-'))).toEqual([]);
  });
});
