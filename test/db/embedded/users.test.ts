import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { canUse } from '../../../src/db/embedded/server-user.ts';
import { ask, type CliHome, createCliHome } from './cli-home.ts';

const isRoot = process.getuid?.() === 0;
const project = fileURLToPath(new URL('../../..', import.meta.url));
/** User id of `nobody` on Linux. */
const nobody = { uid: 65534, gid: 65534 };
const canBeNobody = isRoot && canUse(nobody, join(project, 'node_modules')) && canUse(nobody, process.execPath);

describe('the embedded server and the users of the machine', () => {
  const ownerOf = (path: string) => statSync(path).uid;

  let house: CliHome;
  /** Belongs to an ordinary user. */
  let his: CliHome;
  beforeAll(() => {
    house = createCliHome();
    his = createCliHome();
    if (isRoot) chownSync(his.home, nobody.uid, nobody.gid);
  });
  afterAll(async () => {
    await house.remove();
    rmSync(his.home, { recursive: true, force: true });
  });

  it.runIf(isRoot)('for root the server runs as another user with private secrets', async () => {
    const server = await house.open();
    expect(ownerOf(`/proc/${house.server()}`)).not.toBe(0);
    const user = ownerOf(join(house.folder, 'data'));
    expect(ownerOf(`/proc/${house.server()}`)).toBe(user);
    for (const name of ['data', 'password', 'postgres.log'])
      expect(statSync(join(house.folder, name)).mode & 0o077, name).toBe(0);
    // Where its user cannot write, it can plant no link to a file of another.
    for (const path of [house.folder, join(house.folder, 'port'), join(house.folder, 'postgres.log')])
      expect(ownerOf(path), path).toBe(0);
    await server.close();
  });

  it.runIf(isRoot)(
    "data are kept and found at another place if the server's user cannot enter the home folder",
    async () => {
      const hidden = mkdtempSync(join(tmpdir(), 'hidden-'));
      const home = join(hidden, 'home');
      const open = () => openEmbedded({ home, log: silentLog });

      const first = await open();
      expect(first.folder.startsWith(hidden)).toBe(false);
      await ask(first.url, 'create table fruit as select 1 as n');
      await first.close();

      const second = await open();
      expect(await ask(second.url, 'select n from fruit')).toEqual([{ n: 1 }]);
      await second.close();

      await removeEmbedded(home);
      expect(existsSync(first.folder)).toBe(false);
      rmSync(hidden, { recursive: true });
    },
  );

  it.skipIf(isRoot)('the server runs as the user who starts it', async () => {
    const server = await house.open();
    expect(ownerOf(`/proc/${house.server()}`)).toBe(process.getuid?.());
    await server.close();
  });

  it.runIf(canBeNobody)('an ordinary user is told the owner of data that root created', async () => {
    await (await house.open()).close();
    chmodSync(house.home, 0o777);
    await expect(house.start(nobody)).rejects.toThrow(/not accessible to this user.*PRICEBOOK_HOME/);
  });

  describe.runIf(canBeNobody)('when an ordinary user starts it', () => {
    it('the server of an ordinary user runs as that user and leaves nothing behind', async () => {
      const command = await his.start(nobody);
      expect(ownerOf(`/proc/${his.server()}`)).toBe(nobody.uid);
      expect(await ask(command.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await command.end();
      expect(his.everybody()).toEqual([]);
    });

    it("root does not use an ordinary user's data, who could not go on with them", async () => {
      await (await his.start(nobody)).end();
      await expect(his.open()).rejects.toThrow(/does not belong to root.*Run pricebook as the user who made it/);
      await (await his.start(nobody)).end();
    });
  });
});
