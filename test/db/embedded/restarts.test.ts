import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createHousehold } from './household.ts';

const house = createHousehold();
afterAll(() => house.remove());

it('an embedded server that keeps ending is restarted after growing pauses', async () => {
  const server = await house.open();
  const log = () => readFileSync(join(server.folder, 'postgres.log'), 'utf8');
  const starts = () => log().match(/ready to accept connections/g)?.length ?? 0;
  let killed = 0;
  while (starts() < 5) {
    await sleep(10);
    const pid = house.server();
    if (pid === null || starts() === killed || !(await isInUse(server.url))) continue;
    process.kill(pid, 'SIGKILL');
    killed += 1;
  }
  const startedAt = [...log().matchAll(/^(\S+) (\S+) UTC .*ready to accept connections/gm)].map(([, date, time]) =>
    Date.parse(`${date}T${time}Z`),
  );
  // The first restart is immediate; the next ones come after 1, 2 and 4 seconds or later.
  const pauses = startedAt.slice(1).map((at, i) => at - startedAt[i]!);
  expect(pauses.slice(1).filter((ms, i) => ms < 1_000 * 2 ** i)).toEqual([]);
  await server.close();
});

/** Whether the connection that keeps the server running has been idle for a while: all preparations are over. */
async function isInUse(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `select from pg_stat_activity
       where application_name = 'pricebook uses' and state = 'idle' and clock_timestamp() - state_change > '0.3 s'`,
    );
    return rows.length > 0;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
