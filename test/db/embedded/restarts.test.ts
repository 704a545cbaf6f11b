import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createHousehold } from './household.ts';

const house = createHousehold();
afterAll(() => house.remove());

it('an embedded server that keeps ending is restarted after growing pauses', async () => {
  const server = await house.open();
  const log = () => readFileSync(join(server.folder, 'postgres.log'), 'utf8');
  const starts = () => log().match(/ready to accept connections/g)?.length ?? 0;
  let killed = 0;
  const startedAt = performance.now();
  // Some seconds.
  for (let looks = 0; looks < 250; looks += 1) {
    await sleep(10);
    const pid = house.server();
    if (pid === null || starts() === killed) continue;
    // It is used by then.
    await sleep(150);
    process.kill(pid, 'SIGKILL');
    killed += 1;
  }
  // Begun, started again at once, and then after 1, 2, 4, 8 … seconds: n pauses take 2^n - 1 seconds.
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(starts()).toBeLessThanOrEqual(4 + Math.log2(seconds + 1));
  await server.close();
});
