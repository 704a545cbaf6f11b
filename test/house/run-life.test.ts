import { describe, expect, it } from 'vitest';
import { programFiles, type SourceFile } from './source-files.ts';

/** The file with the transitions. */
const home = 'src/crawl/ledger/run-life.ts';
/** Columns that say where a run is in its life. */
const state = /\b(?:status|phase|epoch|verdict|base_run_id|base_epoch)\s*=/;

describe("a run's life", () => {
  const files = programFiles();

  it('the states of a run are changed in one file', () => {
    expect(files.find(({ path }) => path === home)?.text).toMatch('update ops.run');
    expect(files.filter(({ path }) => path !== home).flatMap(writesState)).toEqual([]);
  });

  it('the check detects a change in another file', () => {
    const writes = (text: string) => writesState({ path: 'x.ts', text });
    expect(writes("sql(`update ops.run set status = 'held'`)")).toHaveLength(1);
    expect(writes("sql(`update ops.run r\n set failure_count = 0, phase = 'over' where run_id = $1`)")).toHaveLength(1);
    expect(writes('sql(`insert into ops.run (region, status) values ($1, $2)`)')).toHaveLength(1);
    expect(writes("sql(`update ops.run set failure_count = $2 where run_id = $1 and status = 'open'`)")).toEqual([]);
  });
});

/** Statements of a file that write a run's state. */
function writesState({ path, text }: SourceFile): string[] {
  const updates = [...text.matchAll(/update\s+ops(?:_replay)?\.run\b(.*?)(?:\bwhere\b|\bfrom\b|`)/gs)];
  const inserts = [...text.matchAll(/insert\s+into\s+ops\.run\s*\((.*?)\)/gs)];
  return [
    ...updates.filter(([, changes]) => state.test(changes!)),
    ...inserts.filter(([, columns]) => /\b(?:status|phase|epoch|verdict)\b/.test(columns!)),
  ].map(([statement]) => `${path}: ${statement}`);
}
