import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { withDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { migrationsBefore } from '../support/migrations-before.ts';

const before = migrationsBefore('life_of_a_run');

test('a database of yesterday learns what its runs were staged against, and why they were released', () =>
  withDatabase(
    async ({ db }) => {
      await migrate(db, { migrationsFolder: before, views: { statements: [], hash: '', version: 0 } });
      await insert(db, 'ops.run', [
        run(1, '2026-03-01', 'published', 'complete_within_tolerance'),
        run(2, '2026-03-02', 'held', null),
        run(3, '2026-03-03', 'published', 'complete_within_tolerance'),
        { ...run(4, '2026-03-04', 'open', null), phase: 'listing', finished_at: null },
      ]);
      for (const [runId, reasons] of [
        [1, ['two pages could not be read', 'released by a person: the range was cut']],
        [3, ['released by a person: all is dear']],
      ] as const) {
        await db.query(
          `insert into ops.certificate (run_id, verdict, reasons, evidence, computed_at) values ($1, 'complete_within_tolerance', $2, '{}', now())`,
          [runId, reasons],
        );
      }
      await db.query(
        `insert into ops.finding (run_id, name, severity, found, message, samples) values (3, 'price-jump', 'block', 9, '9 of 9', '{}')`,
      );

      await migrate(db);
      expect(
        await rowsOf(
          db,
          'select run_id as run, base_run_id as base, base_epoch as epoch, failure_count as failures from ops.run order by 1',
        ),
      ).toEqual([
        { run: 1, base: null, epoch: null, failures: 0 },
        { run: 2, base: 1, epoch: 1, failures: 0 },
        { run: 3, base: null, epoch: null, failures: 0 },
        { run: 4, base: 3, epoch: 1, failures: 0 },
      ]);
      expect(
        await rowsOf(
          db,
          'select reasons, released_because as because, released_from as from from ops.certificate order by run_id',
        ),
      ).toEqual([
        { reasons: ['two pages could not be read'], because: 'the range was cut', from: 'published' },
        { reasons: [], because: 'all is dear', from: 'held' },
      ]);
    },
    { from: 'empty' },
  ));

function run(runId: number, date: string, status: string, verdict: string | null) {
  const at = `${date}T02:00:00Z`;
  return {
    run_id: runId,
    region: 'uk',
    snapshot_date: date,
    observed_at: at,
    status,
    phase: 'over',
    max_details: 0,
    pages_per_batch: 10,
    origin: 'command',
    started_at: at,
    finished_at: `${date}T02:10:00Z`,
    verdict,
  };
}
