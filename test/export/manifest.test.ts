import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExportRefused } from '../../src/base/errors.ts';
import {
  type ExportedNight,
  exportedNight,
  formatManifest,
  type Manifest,
  parseManifest,
  withNight,
} from '../../src/followers/export/manifest.ts';

const night: fc.Arbitrary<ExportedNight> = fc.record({
  region: fc.constantFrom('uk', 'ie'),
  snapshot_date: fc.constantFrom('2026-03-01', '2026-03-02', '2026-12-31'),
  format: fc.constantFrom('parquet', 'csv'),
  schema_version: fc.nat(9),
  run_id: fc.nat(),
  run_epoch: fc.nat(9),
  certificate: fc.constantFrom('complete', 'complete_within_tolerance', 'partial'),
  content_hash: fc.string(),
  files: fc.array(
    fc.record({
      dataset: fc.constantFrom('prices', 'price_changes', 'products', 'promotions'),
      path: fc.string(),
      rows: fc.nat(),
      bytes: fc.nat(),
      sha256: fc.string(),
    }),
    { maxLength: 3 },
  ),
});
const empty: Manifest = { version: 1, book: 'simulator seed=1 items=300', nights: [] };

test('a manifest holds the latest of each night and format, and is the same text whatever came first', () => {
  fc.assert(
    fc.property(fc.array(night), (nights) => {
      const manifest = nights.reduce(withNight, empty);
      const text = formatManifest(manifest);
      const read = parseManifest(text, 'lake');
      for (const each of nights) {
        const latest = nights.findLast((other) => exportedNight({ ...empty, nights: [other] }, each));
        expect(exportedNight(read, each)).toEqual(latest);
      }
      expect(formatManifest({ ...read, nights: [...read.nights].reverse() })).toBe(text);
      expect(text.split('\n')).toHaveLength(read.nights.length === 0 ? 4 : read.nights.length + 3);
    }),
  );
});

test('what is no manifest of ours is refused', () => {
  for (const text of ['', 'no json', '[]', '{"version":2,"book":"x","nights":[]}', '{"version":1,"nights":[]}']) {
    expect(() => parseManifest(text, 'lake')).toThrow(ExportRefused);
  }
});
