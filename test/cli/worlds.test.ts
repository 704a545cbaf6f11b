import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { canMount, mountSmallDisk } from '../support/small-disk.ts';
import { useHousehold } from './pricebook.ts';

const night = ['--now', '2026-03-01', 'crawl', '--region', 'uk', '--max-details', '0'];
const asof = ['asof', '--region', 'uk', '--date', '2026-03-01', '--json'];

describe('a key after the demo', () => {
  const { home, run } = useHousehold();
  let live: Simulator;
  beforeAll(async () => {
    live = await createSimulator({ items: 40, superDepartments: 3, seed: 9, date: '2026-03-01' });
  });
  afterAll(() => live.close());

  test('with a key the real database is used, without a key the demo again', { timeout: 300_000 }, async () => {
    const withKey = { GROCERY_BASE_URL: live.url };
    expect((await run([...night, '--items', '60'])).code).toBe(0);
    expect(readdirSync(join(home, 'demo')).sort()).toEqual(['archive', 'postgres']);

    const real = await run(night, withKey);
    expect(real).toMatchObject({ code: 0, stdout: expect.stringMatching(/^uk 2026-03-01: complete/) });
    expect(readdirSync(home).sort()).toEqual(['archive', 'demo', 'postgres']);

    const listed = async (env = {}) => JSON.parse((await run([...asof, '--limit', '500'], env)).stdout).rows.length;
    expect(await listed(withKey)).toBe([...live.truth('uk', '2026-03-01')].length);
    expect(await listed()).toBeGreaterThan(50);

    const otherSize = await run([...night, '--items', '80']);
    expect(otherSize.code).toBe(78);
    expect(otherSize.stderr).toMatch(
      /^pricebook: .*another world: simulator seed=1 items=60.*PRICEBOOK_HOME.*reset.*\n$/m,
    );
  });
});

describe('an unusable PRICEBOOK_HOME is one line and exit code 78', () => {
  const { run } = useHousehold();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pricebook-unusable-'));
    chmodSync(folder, 0o755);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const refusal = /^pricebook: The data folder \S+ cannot be used: .*Set PRICEBOOK_HOME to .*\n$/;
  const refused = async (home: string) => {
    const { code, stderr } = await run(['status'], { PRICEBOOK_HOME: home });
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(refusal) });
    return stderr;
  };

  test('a file', async () => {
    writeFileSync(join(folder, 'book'), '');
    expect(await refused(join(folder, 'book'))).toContain('a file');
  });

  test.runIf(canMount)('a read-only file system', async () => {
    await withSmallDisk(2_048, async (disk) => {
      spawnSync('mount', ['-o', 'remount,ro', disk]);
      await refused(join(disk, 'book'));
    });
  });

  async function withSmallDisk(kilobytes: number, use: (disk: string) => Promise<unknown>): Promise<void> {
    const disk = join(folder, 'small');
    mkdirSync(disk);
    const mounted = mountSmallDisk(disk, kilobytes);
    try {
      await use(disk);
    } finally {
      mounted?.unmount();
    }
  }
});
