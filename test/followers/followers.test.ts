import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createFollowers } from '../../src/followers/followers.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const installation = useInstallation();
const { signal } = new AbortController();

test('an error in one region does not stop the followers of the other, and is reported', async () => {
  const { db } = installation;
  const simulator = { seed: 5, items: 60, superDepartments: 3 };
  await crawlDirectly({ installation, upstream: null, date: '2026-03-01', crawler: { simulator } });
  const followers = createFollowers({
    db,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    archive: { getAll: () => Promise.reject(new Error('nothing is archived')) },
    exporter: null,
    ask: null,
  });
  const derived = () => rowsOf(db, 'select region from derived.night order by region');

  await db.query(`alter table derived.night add constraint broken check (region <> 'uk')`);
  await expect(followers.follow(signal)).rejects.toThrow('broken');
  expect(await derived()).toEqual([{ region: 'ie' }]);

  await db.query('alter table derived.night drop constraint broken');
  await followers.follow(signal);
  expect(await derived()).toEqual([{ region: 'ie' }, { region: 'uk' }]);
});
