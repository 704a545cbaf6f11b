import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Payload } from '../../src/base/model/index.ts';
import type { PayloadIndex } from '../../src/crawl/archive/archive.ts';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';

const body = Buffer.from('{"success":true}');
const payload: Payload = {
  listing: 'grocery',
  endpoint: 'uk-category-page',
  region: 'uk',
  host: 'grocery.simulator',
  request: '/category-page',
  status: 200,
  receivedAt: new Date('2026-03-01T02:00:00Z'),
  body,
  sha256: createHash('sha256').update(body).digest('hex'),
};
const emptyIndex: PayloadIndex = { known: async () => new Set(), add: async () => {}, places: async () => [] };

test('archived payloads can be read by their owner only', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-modes-'));
  const archive = createArchive({ packs: createPackFolder(join(home, 'archive')), index: emptyIndex });
  await archive.put([payload], null);
  await archive.close();
  const modes = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => [
    entry.isFile(),
    (statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8),
  ]);
  expect(modes.length).toBeGreaterThan(2);
  for (const [isFile, mode] of modes) expect(mode).toBe(isFile ? '600' : '700');
  rmSync(home, { recursive: true, force: true });
});
