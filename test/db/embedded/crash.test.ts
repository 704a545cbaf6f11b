import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/db/client.ts';
import { ask, createHousehold, eventually, type Household, isRunning } from './household.ts';

describe('the embedded server after a SIGKILL', () => {
  let house: Household;
  beforeAll(() => {
    house = createHousehold();
  });
  afterAll(() => house.remove());

  const open = () => house.open();
  const serves = async (url: string) => {
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    return true;
  };

  it('of its only command stops by itself, and the next command finds what was committed', async () => {
    const command = await house.start();
    await ask(command.url, 'create table fruit_1 as select 1 as n');
    await command.kill();
    await eventually(() => house.everybody().length === 0);

    const next = await open();
    expect(await ask(next.url, 'select n from fruit_1')).toEqual([{ n: 1 }]);
    await next.close();
  });

  it('of one of two commands goes on for the other', async () => {
    const [one, other] = await Promise.all([house.start(), house.start()]);
    await one.kill();
    await sleep(1_500);
    await serves(other.url);
    await other.end();
    expect(house.everybody()).toEqual([]);
  });

  it('of itself is back at the same address for the pools of running commands', async () => {
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

  it('of itself is back although one of its children is still busy with a statement', async () => {
    const server = await open();
    const busy = ask(server.url, 'select count(*) from generate_series(1, 1e12)').catch(() => {});
    await eventually(
      async () => (await ask(server.url, `select 1 from pg_stat_activity where query like '%1e12%'`)).length > 1,
    );
    const killed = house.server()!;
    process.kill(killed, 'SIGKILL');
    await eventually(() => house.server() !== killed && serves(server.url));
    await busy;
    await server.close();
    expect(house.everybody()).toEqual([]);
  });

  it('of its guardian gets a new one from the command that uses it', async () => {
    const server = await open();
    const pid = house.server();
    const killed = await house.guardian();
    process.kill(killed, 'SIGKILL');
    await eventually(() => house.guardians().length === 1 && house.guardians()[0] !== killed);
    expect(house.server()).toBe(pid);
    await serves(server.url);
    await server.close();
    expect(house.everybody()).toEqual([]);
  });

  it('of its guardian does not outlive a command that closes at that very moment', async () => {
    for (const delayMs of [0, 10]) {
      const server = await open();
      process.kill(await house.guardian(), 'SIGKILL');
      await sleep(delayMs);
      await server.close();
      expect(house.everybody()).toEqual([]);
    }
  });

  it('of its guardian gets one new guardian from several commands', async () => {
    const commands = await Promise.all([1, 2, 3].map(() => house.start()));
    const killed = await house.guardian();
    process.kill(killed, 'SIGKILL');
    await eventually(() => house.guardians().length === 1 && house.guardians()[0] !== killed);
    await sleep(300);
    for (const command of commands.slice(1)) await command.end();
    await serves(commands[0]!.url);
    await commands[0]!.end();
    expect(house.everybody()).toEqual([]);
  });

  it('of its guardian and its command is adopted by the next command', async () => {
    const command = await house.start();
    const pid = house.server()!;
    process.kill(await house.guardian(), 'SIGKILL');
    await command.kill();
    // The command may just have called for a guardian.
    for (const guardian of house.guardians()) process.kill(guardian, 'SIGKILL');
    expect(isRunning(pid)).toBe(true);

    const next = await open();
    expect(house.server()).toBe(pid);
    await serves(next.url);
    await next.close();
    expect(house.everybody()).toEqual([]);
  });

  it('of everybody starts again', async () => {
    const command = await house.start();
    await ask(command.url, 'create table fruit_9 as select 1 as n');
    for (const pid of [await house.guardian(), house.server()!]) process.kill(pid, 'SIGKILL');
    await command.kill();
    const next = await open();
    expect(await ask(next.url, 'select n from fruit_9')).toEqual([{ n: 1 }]);
    await next.close();
  });

  it('starts although its old process number now belongs to a stranger', async () => {
    const command = await house.start();
    for (const pid of [await house.guardian(), house.server()!]) process.kill(pid, 'SIGKILL');
    await command.kill();
    const file = join(house.folder, 'data', 'postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [process.pid, ...rest].join('\n'));

    const next = await open();
    await serves(next.url);
    await next.close();
  });

  it('of its guardian at random moments of a start leaves something the next command can use', async () => {
    await (await open()).close();
    for (let delayMs = 30; delayMs <= 120; delayMs += 30) {
      house.start().catch(() => {});
      await eventually(() => house.guardians().length > 0);
      await sleep(delayMs);
      for (const pid of house.guardians()) killIfThere(pid);
    }
    await serves((await open()).url);
  });

  it('during its first making is made anew', async () => {
    const fresh = createHousehold();
    mkdirSync(join(fresh.folder, 'data.new', 'base'), { recursive: true });
    writeFileSync(join(fresh.folder, 'data.new', 'PG_VERSION'), '18\n');
    const server = await fresh.open();
    await serves(server.url);
    await server.close();
    expect(readdirSync(fresh.folder).filter((name) => name.startsWith('data.'))).toEqual([]);
    await fresh.remove();
  });

  it('at random moments of the first start leaves something the next command can use', async () => {
    const fresh = createHousehold();
    for (const delayMs of [60, 300, 700]) {
      const starting = fresh.start();
      starting.catch(() => {});
      await eventually(() => fresh.guardians().length > 0);
      await sleep(delayMs);
      for (const pid of fresh.guardians()) killIfThere(pid);
    }
    const server = await fresh.open();
    await serves(server.url);
    await server.close();
    await fresh.remove();
  });
});

/** It may have ended by itself since it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
