import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useCliHome } from '../cli/pricebook.ts';
import { useInstallation } from '../support/queue-backends.ts';

const { run } = useCliHome({ book: useInstallation() });

let root: string;
let victim: string;
const old = '2020-01-01';
const precious = `${old}/precious.pack.gz`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'planted-'));
  chmodSync(root, 0o755);
  victim = join(root, 'victim');
  mkdirSync(join(victim, old), { recursive: true });
  writeFileSync(join(victim, precious), 'kept');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const files = () => readdirSync(victim, { recursive: true }).sort();

/** A command that would write in the home, and one that would delete in it. */
async function expectRefused(home: string): Promise<void> {
  for (const command of ['crawl --region uk --items 60 --max-details 0', 'prune', 'reset --yes --database', 'status']) {
    const { code, stderr } = await run(command.split(' '), { PRICEBOOK_HOME: home });
    expect([command, code]).toEqual([command, 78]);
    expect(stderr).toMatch(/^pricebook: The data folder \S+ cannot be used: [^\n]*PRICEBOOK_HOME[^\n]*\n$/);
  }
  expect(files()).toEqual([old, precious]);
}

describe('a link in the data folder', () => {
  it.each(['archive', 'demo', 'demo/archive', 'export', 'postgres'])(
    'nothing is done through the link %s',
    async (name) => {
      const home = join(root, 'home');
      mkdirSync(join(home, name, '..'), { recursive: true });
      symlinkSync(victim, join(home, name));
      await expectRefused(home);
    },
  );

  it.each(['archive', 'demo/archive'])('no payload is deleted through a day of %s that is a link', async (name) => {
    const home = join(root, 'home');
    mkdirSync(join(home, name), { recursive: true });
    symlinkSync(join(victim, old), join(home, name, '2019-01-01'));
    await expectRefused(home);
  });
});

describe.runIf(process.getuid?.() === 0)('root with a data folder that others may replace (needs root)', () => {
  const nobody = 65534;
  const folder = (path: string, mode: number, owner = 0) => {
    mkdirSync(join(root, path));
    chmodSync(join(root, path), mode);
    lchownSync(join(root, path), owner, owner);
    return join(root, path);
  };

  it('root uses no folder that another user owns or may write, nor one below it', async () => {
    for (const [name, mode, owner] of [
      ['his', 0o755, nobody],
      ['shared', 0o777, 0],
    ] as const) {
      const above = folder(name, mode, owner);
      await expectRefused(above);
      await expectRefused(join(above, 'home'));
      await expectRefused(join(above, 'home', 'below'));
      expect(readdirSync(above)).toEqual([]);
      folder(`${name}/root`, 0o755);
      await expectRefused(join(above, 'root'));
    }
    const sticky = folder('sticky', 0o1777);
    await expectRefused(sticky);
    await expectRefused(folder('sticky/his', 0o755, nobody));
  });

  it('root follows no link of another user on the way to the data folder', async () => {
    folder('own', 0o755);
    folder('sticky', 0o1777);
    for (const path of ['own/link', 'sticky/link']) {
      symlinkSync(victim, join(root, path));
      lchownSync(join(root, path), nobody, nobody);
      await expectRefused(join(root, path));
      await expectRefused(join(root, path, 'home'));
    }
  });

  it('root may use a folder of its own in a folder such as /tmp, and a link of its own', async () => {
    const sticky = folder('sticky', 0o1777);
    symlinkSync('../sticky/own', join(folder('way', 0o755), 'link'));
    for (const home of [join(sticky, 'own'), join(root, 'way', 'link'), join(sticky, 'own', 'below')])
      expect(await run(['prune'], { PRICEBOOK_HOME: home })).toMatchObject({ code: 0 });
  });
});
