import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/db/client.ts';
import { ask, type CliHome, createCliHome, eventually, isRunning } from './cli-home.ts';

describe('the embedded server after a SIGKILL', () => {
  let house: CliHome;
  beforeAll(() => {
    house = createCliHome();
  });
  afterAll(() => house.remove());

  const open = () => house.open();
  const serves = async (url: string) => {
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    return true;
  };

  it('the next command adopts the embedded server after a SIGKILL, and stops it', async () => {
    const command = await house.start();
    await ask(command.url, 'create table fruit_1 as select 1 as n');
    const pid = house.server()!;
    await command.kill();
    expect(isRunning(pid)).toBe(true);

    const next = await open();
    expect(house.server()).toBe(pid);
    expect(await ask(next.url, 'select n from fruit_1')).toEqual([{ n: 1 }]);
    await next.close();
    expect(house.everybody()).toEqual([]);
  });

  it('after a SIGKILL the server restarts at the same address for running commands', async () => {
    const server = await open();
    const db = createDatabase({ url: server.url, applicationName: 'test' });
    await db.query('create table fruit_3 as select 1 as n');
    const killed = house.server()!;
    process.kill(killed, 'SIGKILL');
    // Its children serve one more statement at most before they notice.
    await eventually(() => house.server() !== killed && db.query('select 1'));
    expect((await db.query('select n from fruit_3')).rows).toEqual([{ n: 1 }]);
    await db.end();
    await server.close();
    expect(house.everybody()).toEqual([]);
  });

  it('the server starts although another process has its former process id', async () => {
    const command = await house.start();
    await command.kill();
    process.kill(house.server()!, 'SIGKILL');
    const file = join(house.folder, 'data', 'postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [process.pid, ...rest].join('\n'));

    const next = await open();
    await serves(next.url);
    await next.close();
  });

  it('after a kill at a random moment of the first start, the next command can start', async () => {
    const fresh = createCliHome();
    for (const delayMs of [300, 600, 1_000, 1_500]) {
      const command = fresh.launch();
      await sleep(delayMs);
      command.kill('SIGKILL');
    }
    const server = await fresh.open();
    await serves(server.url);
    await server.close();
    await fresh.remove();
  });
});
