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
  // Begun once; started again at once, and after 1, 2, 4 and 8 seconds.
  expect(starts()).toBeLessThan(7);
  await server.close();
});
