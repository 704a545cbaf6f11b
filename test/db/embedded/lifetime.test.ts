import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedServerFailed } from '../../../src/base/errors.ts';
import { removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { ask, createHousehold, type Household } from './household.ts';

describe('the embedded server', () => {
  let house: Household;
  beforeAll(() => {
    house = createHousehold();
  });
  afterAll(() => house.remove());

  const open = (settings?: Record<string, string>) => house.open(settings);

  it('keeps what was written, and leaves no process behind when its only user closes', async () => {
    const first = await open();
    await ask(first.url, 'create table fruit as select 1 as n');
    await first.close();
    expect(house.everybody()).toEqual([]);

    const second = await open();
    expect(await ask(second.url, 'select n from fruit')).toEqual([{ n: 1 }]);
    expect(second.url).toBe(first.url);
    await second.close();
    expect(house.everybody()).toEqual([]);
  });

  it('is there again once its data exist, and gone again', async () => {
    await (await open()).close();
    await (await open()).close();
    expect(house.everybody()).toEqual([]);
  });

  it('is durable, in UTC, and refuses whoever has no password', async () => {
    const server = await open();
    const settings = await ask(
      server.url,
      `select name || '=' || setting as s from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'TimeZone', 'listen_addresses') order by name`,
    );
    expect(settings.map(({ s }) => s)).toEqual([
      'TimeZone=UTC',
      'fsync=on',
      'full_page_writes=on',
      'listen_addresses=127.0.0.1',
      'synchronous_commit=on',
    ]);
    expect(await ask(server.url, `select 'É' = upper('é') as holds`)).toEqual([{ holds: true }]);
    const stranger = new URL(server.url);
    stranger.password = 'guessed';
    await expect(ask(stranger.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    await server.close();
  });

  it('is shared by commands that start at the same moment, and stops with the last of them', async () => {
    const commands = await Promise.all([1, 2, 3, 4].map(() => house.start()));
    expect(new Set(commands.map(({ url }) => url)).size).toBe(1);

    for (const command of commands.slice(1)) await command.end();
    expect(await ask(commands[0]!.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await commands[0]!.end();
    expect(house.everybody()).toEqual([]);
  });

  it('serves a command that comes while the last one is leaving', async () => {
    for (let round = 0; round < 3; round++) {
      const first = await open();
      const [second] = await Promise.all([open(), first.close()]);
      expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await second.close();
    }
    expect(house.everybody()).toEqual([]);
  });

  it('hands none of the environment on, where a key might be', async () => {
    const command = await house.start({ env: { GATEWAY_KEY: 'a-secret-of-the-test' } });
    for (const pid of house.everybody()) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('a-secret-of-the-test');
    }
    await command.end();
  });

  it('moves to another port when somebody else took its own', async () => {
    await (await open()).close();
    const port = Number(readFileSync(join(house.folder, 'port'), 'utf8'));
    const squatter = createServer().listen(port, '127.0.0.1');
    const server = await open();
    expect(server.url).not.toContain(`:${port}/`);
    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.close();
    squatter.close();
  });

  it('says what is wrong with data of another version, and touches nothing', async () => {
    await (await open()).close();
    const version = join(house.folder, 'data', 'PG_VERSION');
    const was = readFileSync(version, 'utf8');
    writeFileSync(version, '14\n');
    const refused = open();
    await expect(refused).rejects.toThrow(EmbeddedServerFailed);
    await expect(refused).rejects.toThrow('belong to PostgreSQL 14, the program brings 18');
    writeFileSync(version, was);
    await (await open()).close();
  });

  it('passes on why it does not start', async () => {
    const refused = open({ shared_buffers: 'plenty' });
    await expect(refused).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"');
    await (await open()).close();
  });

  it('says what to do when its password is lost', async () => {
    await (await open()).close();
    const password = join(house.folder, 'password');
    const was = readFileSync(password, 'utf8');
    rmSync(password);
    await expect(open()).rejects.toThrow(/password authentication failed.*pricebook reset/);
    writeFileSync(password, was);
    await (await open()).close();
  });

  describe('removal', () => {
    it('deletes the data, and a new server starts empty', async () => {
      const first = await open();
      await ask(first.url, 'create table vegetable as select 1 as n');
      await first.close();
      await removeEmbedded(house.home);
      const second = await open();
      await expect(ask(second.url, 'select n from vegetable')).rejects.toMatchObject({ code: '42P01' });
      await second.close();
    });

    it('is refused while a command uses the server', async () => {
      const command = await house.start();
      await expect(removeEmbedded(house.home)).rejects.toThrow('another command uses it');
      expect(await ask(command.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await command.end();
    });

    it('does nothing where there is no server', async () => {
      await removeEmbedded(house.home);
      await removeEmbedded(join(house.home, 'never-made'));
    });
  });
});
