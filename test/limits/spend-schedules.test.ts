import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { type PlayedSchedule, playDatabaseClock, playSpendSchedule } from './spend-schedule.ts';

/** A few schedules; `npm run spend` plays as many as it is told. */
describe('processes that are killed and started again, each by a clock of its own', () => {
  const database = useDatabase();
  beforeAll(() => playDatabaseClock(database.db));

  test('never ask one request more than any second, minute, hour, day or month allows, as the simulator counts', async () => {
    const played: PlayedSchedule[] = [];
    for (let seed = 1; seed <= 8; seed++) played.push(await playSpendSchedule(database.db, seed, { requests: 20 }));
    expect(played.flatMap(({ seed, limits, broken }) => broken.map((what) => `${seed} (${limits}): ${what}`))).toEqual(
      [],
    );
    // They did get through, and were killed.
    expect(played.reduce((sum, { arrived }) => sum + arrived, 0)).toBeGreaterThan(100);
    expect(played.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(10);
  });
});
