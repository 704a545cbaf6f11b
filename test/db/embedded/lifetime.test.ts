import { readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedServerFailed } from '../../../src/base/errors.ts';
import { removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { ask, type CliHome, createCliHome } from './cli-home.ts';

describe('the embedded server', () => {
  let house: CliHome;
  beforeAll(() => {
    house = createCliHome();
  });
  afterAll(() => house.remove());

  const open = (settings?: Record<string, string>) => house.open(settings);

  it('the embedded server keeps its data and leaves no process when its only user closes', async () => {
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

  it('the embedded server is durable, uses UTC and requires a password', async () => {
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

  it('commands started at the same moment share the server, which stops with the last one', async () => {
    const commands = await Promise.all([1, 2, 3, 4].map(() => house.start()));
    expect(new Set(commands.map(({ url }) => url)).size).toBe(1);

    for (const command of commands.slice(1)) await command.end();
    expect(await ask(commands[0]!.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await commands[0]!.end();
    expect(house.everybody()).toEqual([]);
  });

  it('a command that starts while the last one stops is served', async () => {
    for (let round = 0; round < 3; round++) {
      const first = await open();
      const [second] = await Promise.all([open(), first.close()]);
      expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await second.close();
    }
    expect(house.everybody()).toEqual([]);
  });

  it("the server's environment contains no variables of the program, such as keys", async () => {
    const command = await house.start({ env: { GATEWAY_KEY: 'a-secret-of-the-test' } });
    for (const pid of house.everybody()) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('a-secret-of-the-test');
    }
    await command.end();
  });

  it('the server uses another port if its own is in use', async () => {
    await (await open()).close();
    const port = Number(readFileSync(join(house.folder, 'port'), 'utf8'));
    const squatter = createServer().listen(port, '127.0.0.1');
    const server = await open();
    expect(server.url).not.toContain(`:${port}/`);
    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.close();
    squatter.close();
  });

  it('the server starts although another program takes its port just before it binds', async () => {
    await (await open()).close();
    const portFile = join(house.folder, 'port');
    rmSync(portFile);
    const squatter = createServer();
    // The port is written when it was found free, and the server needs some milliseconds until it binds.
    const watcher = watch(house.folder, (_, name) => {
      const port = name === 'port' ? readFileSync(portFile, 'utf8') : '';
      if (port === '' || squatter.listening) return;
      squatter.listen(Number(port), '127.0.0.1');
      watcher.close();
    });
    const server = await open();
    expect(squatter.listening).toBe(true);
    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.close();
    await new Promise((resolve) => squatter.close(resolve));
  });

  it('data of another version are reported and left unchanged', async () => {
    await (await open()).close();
    const version = join(house.folder, 'data', 'PG_VERSION');
    const was = readFileSync(version, 'utf8');
    writeFileSync(version, '14\n');
    const refused = open();
    await expect(refused).rejects.toThrow(EmbeddedServerFailed);
    await expect(refused).rejects.toThrow(
      /incompatible with server.*initialized by PostgreSQL version 14, which is not compatible with this version 18/,
    );
    writeFileSync(version, was);
    await (await open()).close();
  });

  it('the reason of a failed start is reported', async () => {
    const refused = open({ shared_buffers: 'plenty' });
    await expect(refused).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"');
    await (await open()).close();
  });

  it('a lost password is reported with advice', async () => {
    await (await open()).close();
    const password = join(house.folder, 'password');
    const was = readFileSync(password, 'utf8');
    rmSync(password);
    await expect(open()).rejects.toThrow(/password authentication failed.*pricebook reset/);
    writeFileSync(password, was);
    await (await open()).close();
  });

  describe('removal', () => {
    it('removal deletes the data, and a new server starts empty', async () => {
      const first = await open();
      await ask(first.url, 'create table vegetable as select 1 as n');
      await first.close();
      await removeEmbedded(house.home);
      const second = await open();
      await expect(ask(second.url, 'select n from vegetable')).rejects.toMatchObject({ code: '42P01' });
      await second.close();
    });

    it('removal is refused while a command uses the server', async () => {
      const command = await house.start();
      await expect(removeEmbedded(house.home)).rejects.toThrow('another command uses it');
      expect(await ask(command.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await command.end();
    });

    it('removal does nothing without a server', async () => {
      await removeEmbedded(house.home);
      await removeEmbedded(join(house.home, 'never-made'));
    });
  });
});
