import { describe, expect, it } from 'vitest';
import { programFiles, type SourceFile } from './source-files.ts';

/** The file with the transitions. */
const home = 'src/crawl/run/transitions.ts';
/** Applies the results of a replay to runs that are over. */
const replayed = 'src/publish/replay/replayed-runs.ts';
/** Columns that say where a run is in its life. */
const state = /\b(?:status|phase|run_token|verdict|base_run_id|base_run_token)\s*=/;

describe("a run's life", () => {
  const files = programFiles();

  it('the states of a run are changed in one file', () => {
    expect(files.find(({ path }) => path === home)?.text).toMatch('update ops.run');
    expect(files.filter(({ path }) => path !== home && path !== replayed).flatMap(writesState)).toEqual([]);
  });
});

/** Statements of a file that write a run's state. */
function writesState({ path, text }: SourceFile): string[] {
  const updates = [...text.matchAll(/update\s+ops(?:_replay)?\.run\b(.*?)(?:\bwhere\b|\bfrom\b|`)/gs)];
  const inserts = [...text.matchAll(/insert\s+into\s+ops\.run\s*\((.*?)\)/gs)];
  return [
    ...updates.filter(([, changes]) => state.test(changes!)),
    ...inserts.filter(([, columns]) => /\b(?:status|phase|run_token|verdict)\b/.test(columns!)),
  ].map(([statement]) => `${path}: ${statement}`);
}
