import { expect, test } from 'vitest';
import { ExportRefused } from '../../src/base/errors.ts';
import { parseManifest } from '../../src/followers/export/manifest.ts';

test('a file that is not our manifest is refused', () => {
  for (const text of ['', 'no json', '[]', '{"version":2,"book":"x","nights":[]}', '{"version":1,"nights":[]}']) {
    expect(() => parseManifest(text, 'lake')).toThrow(ExportRefused);
  }
});
