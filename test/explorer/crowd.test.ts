import { expect, test } from 'vitest';
import { createRuns } from '../../src/crawl/ledger/runs.ts';
import { readStatus } from '../../src/questions/status.ts';
import { openOver, useExplorer } from './explorer-book.ts';

const base = useExplorer('empty');

test('more than a hundred concurrent requests are refused, while health checks are still answered', async () => {
  const status = await readStatus({
    db: base.db,
    runs: createRuns(base.db),
    now: new Date('2026-03-01T00:00:00Z'),
    quotas: new Map(),
  });
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const explorer = await openOver(base.db, { readStatus: () => gate.then(() => status) });
  try {
    const ask = async (path: string) => {
      const response = await fetch(explorer.url + path);
      await response.arrayBuffer();
      return [response.status, response.headers.get('retry-after')].join();
    };
    const crowd = Array.from({ length: 150 }, () => ask('/api/status'));
    const answers: string[] = [];
    for (const each of crowd) void each.then((answer) => answers.push(answer));
    await expect.poll(() => answers).toEqual(Array(50).fill('503,1'));
    expect(await ask('/healthz')).toBe('200,');
    open();
    expect((await Promise.all(crowd)).filter((answer) => answer === '200,')).toHaveLength(100);
    // There is room again.
    expect(await ask('/api/status')).toBe('200,');
  } finally {
    open();
    await explorer.close();
  }
});
