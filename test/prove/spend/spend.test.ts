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
    for (let seed = 1; seed <= 8; seed++) played.push(await playSpendSchedule(database.db, seed, { requests: 20 }));
    expect(played.flatMap(({ seed, broken }) => broken.map((what) => `seed ${seed}: ${what}`))).toEqual([]);
    // They did get through, and were killed.
    expect(played.reduce((sum, { counts }) => sum + counts['requests']!['arrived']!, 0)).toBeGreaterThan(100);
    expect(played.reduce((sum, { counts }) => sum + counts['processes']!['killed']!, 0)).toBeGreaterThan(10);
  });
});
