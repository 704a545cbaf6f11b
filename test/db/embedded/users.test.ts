import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/db/db-log.ts';
import { openEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { removeEmbedded } from '../../../src/db/embedded/remove-embedded.ts';
import { canUse } from '../../../src/db/embedded/server-user.ts';
import { ask, createHousehold, eventually, type Household } from './household.ts';

const isRoot = process.getuid?.() === 0;
const project = fileURLToPath(new URL('../../..', import.meta.url));
/** `nobody` on Linux. */
const nobody = { uid: 65534, gid: 65534 };
const canBeNobody = isRoot && canUse(nobody, join(project, 'node_modules')) && canUse(nobody, process.execPath);

describe('the embedded server and the users of the machine', () => {
  let house: Household;
  beforeEach(() => {
    house = createHousehold();
  });
  afterEach(() => house.remove());

  const ownerOf = (path: string) => statSync(path).uid;

  it.runIf(isRoot)('runs as another user for root, with secrets nobody else can read', async () => {
    const server = await house.open();
    expect(ownerOf(`/proc/${house.server()}`)).not.toBe(0);
    for (const name of ['data', 'password', 'port', 'postgres.log', 'guardian.log']) {
      const path = join(house.folder, name);
      expect(ownerOf(path), name).toBe(ownerOf(house.folder));
    }
    expect(statSync(join(house.folder, 'password')).mode & 0o077).toBe(0);
    await server.close();
  });

  it.runIf(isRoot)(
    'keeps data elsewhere, says where, and finds them again when its user cannot enter the home',
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

  it.skipIf(isRoot)('runs as the user who starts it', async () => {
    const server = await house.open();
    expect(ownerOf(`/proc/${house.server()}`)).toBe(process.getuid?.());
    await server.close();
  });

  describe.runIf(canBeNobody)('when an ordinary user starts it', () => {
    const giveHimTheHome = () => chownSync(house.home, nobody.uid, nobody.gid);

    it('runs as him and leaves nothing behind', async () => {
      giveHimTheHome();
      const command = await house.start(nobody);
      expect(ownerOf(`/proc/${house.server()}`)).toBe(nobody.uid);
      expect(await ask(command.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await command.end();
      expect(house.everybody()).toEqual([]);
    });

    it('goes on as his when root uses it in between', async () => {
      giveHimTheHome();
      const his = await house.start(nobody);
      await ask(his.url, 'create table fruit as select 1 as n');
      await his.end();

      const roots = await house.open();
      expect(ownerOf(`/proc/${house.server()}`)).toBe(nobody.uid);
      await roots.close();

      const hisAgain = await house.start(nobody);
      expect(await ask(hisAgain.url, 'select n from fruit')).toEqual([{ n: 1 }]);
      await hisAgain.end();
    });

    it('is shared by him and root at the same time', async () => {
      giveHimTheHome();
      const his = await house.start(nobody);
      const roots = await house.open();
      expect(roots.url).toBe(his.url);
      await his.end();
      expect(await ask(roots.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      await roots.close();
      await eventually(() => house.everybody().length === 0);
    });

    it('tells him whom the data belong to when root made them', async () => {
      await (await house.open()).close();
      chmodSync(house.home, 0o777);
      await expect(house.start(nobody)).rejects.toThrow(/not yours to use.*PRICEBOOK_HOME/);
    });
  });
});
