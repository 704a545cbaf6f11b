import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import type { Trial } from '../profile.ts';
import { playDatabaseClock, playSpendSchedule } from './played-spend.ts';

/** A few schedules; `npm run prove -- --profile spend` plays more. */
describe('processes that are killed and restarted, each with its own clock', () => {
  const database = useDatabase();
  beforeAll(() => playDatabaseClock(database.db));

  test('the processes never exceed any limit, as the simulator counts', async () => {
    const played: Trial[] = [];
    for (let seed = 1; seed <= 5; seed++) played.push(await playSpendSchedule(database.db, seed, { requests: 14 }));
    expect(played.flatMap(({ seed, broken }) => broken.map((what) => `seed ${seed}: ${what}`))).toEqual([]);
    // They did get through, and were killed.
    expect(played.reduce((sum, { counts }) => sum + counts['arrived']!, 0)).toBeGreaterThanOrEqual(60);
    expect(played.reduce((sum, { counts }) => sum + counts['kills']!, 0)).toBeGreaterThan(5);
  });
});
