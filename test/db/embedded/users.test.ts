import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { canUse } from '../../../src/db/embedded/server-user.ts';
import { ask, createHousehold, eventually, type Household } from './household.ts';

const isRoot = process.getuid?.() === 0;
const project = fileURLToPath(new URL('../../..', import.meta.url));
/** User id of `nobody` on Linux. */
const nobody = { uid: 65534, gid: 65534 };
const canBeNobody = isRoot && canUse(nobody, join(project, 'node_modules')) && canUse(nobody, process.execPath);

describe('the embedded server and the users of the machine', () => {
  const ownerOf = (path: string) => statSync(path).uid;

  let house: Household;
  /** Belongs to an ordinary user. */
  let his: Household;
  beforeAll(() => {
    house = createHousehold();
    his = createHousehold();
    if (isRoot) chownSync(his.home, nobody.uid, nobody.gid);
  });
  afterAll(async () => {
    await house.remove();
    await his.remove();
  });

  it.runIf(isRoot)('for root the server runs as another user with private secrets', async () => {
    const server = await house.open();
    expect(ownerOf(`/proc/${house.server()}`)).not.toBe(0);
    for (const name of ['data', 'password', 'port', 'postgres.log']) {
      const path = join(house.folder, name);
      expect(ownerOf(path), name).toBe(ownerOf(house.folder));
    }
    expect(statSync(join(house.folder, 'password')).mode & 0o077).toBe(0);
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
      expect(readFileSync(join(home, 'postgres-is-elsewhere.txt'), 'utf8')).toContain(first.folder);
      await ask(first.url, 'create table fruit as select 1 as n');
      await first.close();

      const second = await open();
      expect(await ask(second.url, 'select n from fruit')).toEqual([{ n: 1 }]);
      await second.close();

      await removeEmbedded(home);
      expect(existsSync(first.folder)).toBe(false);
      expect(existsSync(join(home, 'postgres-is-elsewhere.txt'))).toBe(false);
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

    it("the data stay the user's when root uses them in between", async () => {
      const command = await his.start(nobody);
      await ask(command.url, 'create table fruit as select 1 as n');
      await command.end();

      const roots = await his.open();
      expect(ownerOf(`/proc/${his.server()}`)).toBe(nobody.uid);
      await roots.close();

      const again = await his.start(nobody);
      expect(await ask(again.url, 'select n from fruit')).toEqual([{ n: 1 }]);
      await again.end();
    });

    it('the server can be shared by the user and root', async () => {
      const command = await his.start(nobody);
      const roots = await his.open();
      expect(roots.url).toBe(command.url);
      await command.end();
      expect(await ask(roots.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await roots.close();
      await eventually(() => his.everybody().length === 0);
    });
  });
});
