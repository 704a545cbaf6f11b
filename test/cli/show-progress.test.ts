import { expect, test } from 'vitest';
import { showProgress } from '../../src/cli/show-progress.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import type { Progress } from '../../src/crawl/status/progress.ts';
import { createRecordingConsole } from './recording-console.ts';

const run = { runId: 1, region: 'uk', status: 'open', phase: 'categories', maxDetails: 0 } as Run;
const progress: Progress = {
  pagesPlanned: 10,
  pagesDone: 5,
  pagesFailed: 0,
  productsRead: 120,
  detailsPlanned: 0,
  detailsDone: 0,
  requests: 6,
  cost: null,
};

test('without a terminal a progress line is printed every five seconds and at each new phase', () => {
  const { console, heard } = createRecordingConsole();
  const said = () => heard.stderr.split('\n').slice(0, -1);
  let now = 0;
  const view = showProgress(console, () => now);
  for (; now <= 12_000; now += 250) view.onProgress(run, progress);
  expect(said()).toHaveLength(3);
  view.onProgress({ ...run, phase: 'finishing' }, progress);
  expect(said()).toHaveLength(4);
  expect(said()[3]).toContain('publishing');
  expect(heard.drawn).toEqual([]);
});

test('on a terminal there is one line per region within its width, which stays at the end', () => {
  const { console, heard } = createRecordingConsole({ isTerminal: true, width: 60 });
  const { drawn } = heard;
  const view = showProgress(console);
  view.onProgress(run, progress);
  view.onProgress({ ...run, runId: 2, region: 'ie' }, progress);
  expect(drawn.at(-1)).toEqual([expect.stringMatching(/^uk {3}50 %/), expect.stringMatching(/^ie {3}50 %/)]);
  for (const line of drawn.at(-1)!) expect(line.length).toBeLessThan(60);
  view.end();
  expect(drawn.at(-1)).toEqual([]);
  expect(heard.stderr).toBe('');
});
