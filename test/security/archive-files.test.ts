import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';

test('archived payloads can be read by their owner only', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-modes-'));
  const packs = createPackFolder(join(home, 'archive'));
  await packs.append('2026-03-01', [Buffer.from('{"success":true}')]);
  await packs.close();
  const modes = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => [
    entry.isFile(),
    (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8),
  ]);
  expect(modes.length).toBeGreaterThan(2);
  for (const [isFile, mode] of modes) expect(mode).toBe(isFile ? '600' : '700');
  rmSync(home, { recursive: true, force: true });
});
