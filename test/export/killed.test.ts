import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createChance } from '../chaos/chance.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { useDatabase } from '../support/database.ts';
import { killExports } from './kill-exports.ts';
import { exporterTo, fillCertifiedNights } from './lake.ts';
import { brokenPromises, filesIn, manifestIn } from './read-lake.ts';

const { signal } = new AbortController();

describe('an export that is killed', () => {
  const database = useDatabase();
  const household = useHousehold();
  const lake = join(household.home, 'lake');
  const args = ['export', '--region', 'uk', '--from', '2026-03-01', '--to', '2026-03-06', '--out', lake];

  beforeAll(() => fillCertifiedNights(database.db));

  // Twenty times, on a night of 300,000 products: `npm run bench -- --only export`.
  it('never leaves a manifest without its files, and the next one makes good', async () => {
    const { broken } = await killExports({
      start: () => household.start(args, { DATABASE_URL: database.url }),
      lake,
      home: household.home,
      times: 3,
      random: createChance(20260301).number,
      spreadMs: 400,
    });
    expect(broken).toEqual([]);

    const home = household.home;
    await exporterTo(database.db, { lake, home }).exportOwed(signal);
    const undisturbed = join(home, 'undisturbed');
    await exporterTo(database.db, { lake: undisturbed, home }).exportOwed(signal);
    expect(manifestIn(lake)).toEqual(manifestIn(undisturbed));
    expect(brokenPromises(lake)).toEqual([]);
    expect(Object.keys(filesIn(lake)).filter((path) => path.endsWith('.tmp')).length).toBeLessThanOrEqual(3);
  });
});
