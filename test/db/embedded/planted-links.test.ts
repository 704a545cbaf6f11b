import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';

/** User id of `nobody` on Linux. */
const nobody = { uid: 65534, gid: 65534 };

/** The owner of the folder would gain or overwrite a file of root's. */
describe.runIf(process.getuid?.() === 0)('root in a data folder of another user (needs root)', () => {
  let root: string;
  let home: string;
  let victim: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'planted-'));
    chmodSync(root, 0o755);
    home = join(root, 'home');
    victim = join(root, 'victim');
    writeFileSync(victim, '31999\n', { mode: 0o600 });
    for (const folder of [home, join(home, 'postgres')]) {
      mkdirSync(folder, { mode: 0o755 });
      chownSync(folder, nobody.uid, nobody.gid);
    }
  });
  afterEach(async () => {
    rmSync(join(home, 'postgres'), { recursive: true, force: true });
    await removeEmbedded(home);
    rmSync(root, { recursive: true, force: true });
  });

  const before = { uid: 0, gid: 0, mode: 0o100600, text: '31999\n' };
  const now = () => {
    const { uid, gid, mode } = lstatSync(victim);
    return { uid, gid, mode, text: readFileSync(victim, 'utf8') };
  };
  /** Starts a server, if it does, and stops it. */
  const use = async () => {
    const server = await openEmbedded({ home, log: silentLog });
    await server.close();
  };
  const plant = (name: string) => {
    const path = join(home, 'postgres', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(victim, path);
    lchownSync(path, nobody.uid, nobody.gid);
  };

  it.each(['port', 'password', 'postgres.log'])('root does not touch the target of a link named %s', async (name) => {
    plant(name);
    await expect(use()).rejects.toThrow(/is a link/);
    expect(now()).toEqual(before);
  });

  it('root does not touch a file that the log is a hard link to', async () => {
    linkSync(victim, join(home, 'postgres', 'postgres.log'));
    await expect(use()).rejects.toThrow(/is a link/);
    expect(now()).toEqual(before);
  });

  it.each(['port', 'postmaster.pid'])(
    'root does not touch the target of a link named %s that was created between two starts',
    async (name) => {
      await use();
      const path = name === 'port' ? join('postgres', name) : join('postgres', 'data', name);
      rmSync(join(home, path), { force: true });
      symlinkSync(victim, join(home, path));
      await expect(use()).rejects.toThrow(/is a link/);
      expect(now()).toEqual(before);
    },
  );

  it('root does not touch a folder that a link named postgres leads to', async () => {
    const folder = join(root, 'folder');
    mkdirSync(folder);
    rmSync(join(home, 'postgres'), { recursive: true });
    symlinkSync(folder, join(home, 'postgres'));
    await expect(use()).rejects.toThrow(/is a link/);
    expect(lstatSync(folder).uid).toBe(0);
    rmSync(join(home, 'postgres'));
  });

  it('root does not touch the target of a link named like its note', async () => {
    rmSync(join(home, 'postgres'), { recursive: true });
    chmodSync(home, 0o700);
    symlinkSync(victim, join(home, 'postgres-is-elsewhere.txt'));
    await use();
    expect(now()).toEqual(before);
  });
});
